import Dispatch
import Synchronization

/// Hands out the windows of a text one after the other, and has the next ones parsed on other threads meanwhile.
struct WindowFeed {
  /// How many windows may lie ready. One would do if all took as long as each other.
  private static let readyMax = 2

  private let source: RowSource
  private let reading: RowReading
  private var ahead: [WindowAhead] = []
  private var nextWindow = 0

  init(_ source: RowSource, _ reading: RowReading) {
    self.source = source
    self.reading = reading
  }

  /// The next window, nil behind the last.
  ///
  /// - Throws: `PayloadError` for a window that is malformed.
  mutating func next() throws(PayloadError) -> ParsedWindow? {
    // A text of one window isn't worth the way to another thread.
    while source.outline.windows.count > 1, ahead.count <= Self.readyMax, let window = takeWindow() {
      ahead.append(WindowAhead(window, of: source, reading))
    }
    if !ahead.isEmpty { return try ahead.removeFirst().window() }
    return try takeWindow().map { (window) throws(PayloadError) in try source.read(window, reading) }
  }

  private mutating func takeWindow() -> RowOutline.Window? {
    guard nextWindow < source.outline.windows.count else { return nil }
    defer { nextWindow += 1 }
    return source.outline.windows[nextWindow]
  }
}

/// A window that is parsed by a task, unless somebody needs it before the task has begun: then by that one. So nobody waits for a
/// task that waits for a free thread.
private final class WindowAhead: Sendable {
  private enum State {
    case open
    case taken
    case done(Result<ParsedWindow, PayloadError>)
  }

  private let state = Mutex(State.open)
  private let isDone = DispatchSemaphore(value: 0)
  private let parse: @Sendable () -> Result<ParsedWindow, PayloadError>

  init(_ window: RowOutline.Window, of source: RowSource, _ reading: RowReading) {
    parse = { Result { () throws(PayloadError) in try source.read(window, reading) } }
    Task.detached { [weak self] in self?.run() }
  }

  /// The window.
  func window() throws(PayloadError) -> ParsedWindow {
    if take() { return try parse().get() }
    isDone.wait()
    let result = state.withLock { state in
      defer { state = .taken }
      return state
    }
    guard case .done(let result) = result else { return try parse().get() }
    return try result.get()
  }

  /// For the task. A window that nobody waits for any more is gone before it begins.
  private func run() {
    guard take() else { return }
    let result = parse()
    state.withLock { $0 = .done(result) }
    isDone.signal()
  }

  /// Whether the caller is the one to parse the window.
  private func take() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .taken
      return true
    }
  }
}

extension RowSource {
  /// Parses a window.
  func read(_ window: RowOutline.Window, _ reading: RowReading) throws(PayloadError) -> ParsedWindow {
    try text.withBytes { (bytes) throws(PayloadError) in try ParsedWindow(window, of: outline, in: bytes, reading) }
  }
}
