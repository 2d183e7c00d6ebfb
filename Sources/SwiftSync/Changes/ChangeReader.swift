import KeyValueStore
import Records

/// Follows the commits of a store, from a place in its history on.
///
/// Tokens are dense, so the reader always knows which commit comes next. It takes it from its buffer as long as it is there,
/// and reads on in the history otherwise: at the beginning, and when it was too slow for the buffer.
final class ChangeReader {
  private let core: ContainerCore
  private let buffer: ChangeBuffer
  /// Up to here everything was told.
  private var token: Records.HistoryToken = .start
  /// Why the reader cannot begin.
  private var failure: (any Error)?
  /// What was read in the history.
  private var stretch: ArraySlice<ChangeSet> = []
  private var isInHistory: Bool
  private var isOver = false
  private var models: HistoryModels?

  init(
    _ core: ContainerCore, _ buffer: ChangeBuffer, after token: Result<Records.HistoryToken, any Error>,
    beginsInHistory: Bool
  ) {
    self.core = core
    self.buffer = buffer
    isInHistory = beginsInHistory
    switch token {
    case .success(let token): self.token = token
    case .failure(let error): failure = error
    }
  }

  /// Waits for the next element; nil at the end, and after an error.
  nonisolated(nonsending) func next() async throws -> ChangeStream.Element? {
    if isOver { return nil }
    do {
      if let failure { throw failure }
      if let element = try await find() { return element }
    } catch StoreError.closed {
      // That the store was closed is an end like any other.
    } catch {
      isOver = true
      return try HistoryError.translating(core.storeIdentifier) { throw error }
    }
    isOver = true
    return nil
  }

  private nonisolated(nonsending) func find() async throws -> ChangeStream.Element? {
    while !Task.isCancelled {
      if let changes = stretch.popFirst() { return try element(changes) }
      if isInHistory {
        if let gap = try readOn() { return gap }
        continue
      }
      switch buffer.take(after: token) {
      case .changes(let changes): return try element(changes)
      case .elsewhere: isInHistory = true
      case .nothing: await buffer.wait()
      case .end: return nil
      }
    }
    return nil
  }

  /// Reads a stretch of the history, or says that it has a gap.
  private func readOn() throws -> ChangeStream.Element? {
    let read = try core.store.read { [token] in try $0.historyStretch(after: token) }
    isInHistory = !read.isLast
    stretch = read.changes[...]
    guard let gap = read.gap else { return nil }
    token = read.end
    return .resynchronize(
      ResynchronizationReason(gap), gap == .notKept ? nil : DefaultHistoryToken(token, of: core.storeIdentifier))
  }

  private func element(_ changes: ChangeSet) throws -> ChangeStream.Element {
    token = changes.token ?? token
    let models = try models ?? HistoryModels(core)
    self.models = models
    return .committed(CommittedChanges(changes, models))
  }
}
