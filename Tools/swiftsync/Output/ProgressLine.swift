import Glibc

/// One line at a terminal that says how far a long command is. It is written over, and gone when the command goes on.
///
/// Nothing is shown where nobody looks, where the same terminal gets the data, and for work that is done in a moment.
struct ProgressLine {
  /// How long work takes that is worth showing, and then how long a line stands.
  private static let patience = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)
  private static let barColumnCount = 30

  private let activity: String
  private let descriptor: Int32?
  private var nextLine: ContinuousClock.Instant
  private var isShown = false

  /// A line for some work, beside which data may go to standard output.
  init(_ activity: String, isBesideData: Bool) {
    let messages = Supervisor.messagesDescriptor
    let isWanted = Terminal(descriptor: messages).isThere && !(isBesideData && isatty(STDOUT_FILENO) != 0)
    self.init(activity, descriptor: isWanted ? messages : nil, patience: Self.patience)
  }

  init(_ activity: String, descriptor: Int32?, patience: Duration) {
    self.activity = activity
    self.descriptor = descriptor
    nextLine = .now + patience
  }

  /// Notes how much is done.
  mutating func show(_ done: Int, of total: Int) {
    guard let descriptor, .now >= nextLine else { return }
    nextLine = .now + Self.interval
    isShown = true
    let line = Self.text(activity, done, of: total, columnCount: Terminal(descriptor: descriptor).columnCount)
    // Back to the start, and away with what is left of a longer one.
    write("\r\(line)\u{1b}[K")
  }

  /// Takes the line away.
  mutating func clear() {
    if isShown { write(Self.clearing) }
    isShown = false
  }

  /// Takes away what a process that has died has left at the terminal, if no data can be in the same line.
  static func clearLeftover() {
    guard Terminal(descriptor: STDERR_FILENO).isThere, isatty(STDOUT_FILENO) == 0 else { return }
    _ = Glibc.write(STDERR_FILENO, clearing, clearing.utf8.count)
  }

  private static let clearing = "\r\u{1b}[K"

  /// A line that is no longer than a terminal is wide, so that it can be written over.
  static func text(_ activity: String, _ done: Int, of total: Int, columnCount: Int) -> String {
    let total = max(total, 1)
    let done = min(max(done, 0), total)
    let percent = Int((Double(done) / Double(total) * 100).rounded(.down))
    let filled = Int((Double(done) / Double(total) * Double(barColumnCount)).rounded(.down))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barColumnCount - filled)
    let share = String(repeating: " ", count: 3 - "\(percent)".count) + "\(percent)%"
    return String("[\(bar)] \(share) \(TerminalText.escaped(activity))".prefix(max(0, columnCount - 1)))
  }

  private func write(_ text: String) {
    guard let descriptor else { return }
    var text = text
    // Where it can't be written there is nobody to see it.
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
