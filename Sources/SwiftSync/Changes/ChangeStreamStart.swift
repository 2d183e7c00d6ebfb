import Records
import Synchronization

/// Where a stream of changes begins.
final class ChangeStreamStart: Sendable {
  private let core: ContainerCore
  /// The last token that is not part of the stream.
  private let token: Result<Records.HistoryToken, any Error>
  /// The first reader's buffer. It is there from the beginning of the stream, so that this reader need not begin with the history;
  /// and without one, misses nothing.
  private let buffer: Mutex<ChangeBuffer?>

  /// A stream of what comes from now on. Should the store be unreadable, the readers find out.
  init(_ core: ContainerCore) {
    let buffer = core.makeBuffer()
    // After the buffer was made: what lies between is in both, and told once.
    token = Result { try core.store.read { try $0.lastHistoryToken() } }
    self.buffer = Mutex(buffer)
    self.core = core
  }

  /// - Throws: `HistoryError.foreignToken`, `HistoryError.unknownToken`, what reading throws.
  init(_ core: ContainerCore, since token: DefaultHistoryToken) throws {
    guard token.storeIdentifier == core.storeIdentifier else { throw HistoryError.foreignToken(token) }
    let last = try core.store.read { try $0.lastHistoryToken() }
    if token.token > last {
      throw HistoryError.unknownToken(token, last: DefaultHistoryToken(last, of: core.storeIdentifier))
    }
    self.token = .success(token.token)
    buffer = Mutex(nil)
    self.core = core
  }

  func makeReader() -> ChangeReader {
    let first = buffer.withLock { buffer in
      defer { buffer = nil }
      return buffer
    }
    return ChangeReader(core, first ?? core.makeBuffer(), after: token, beginsInHistory: first == nil)
  }
}

extension ContainerCore {
  fileprivate func makeBuffer() -> ChangeBuffer {
    let buffer = ChangeBuffer()
    commits.add(buffer)
    return buffer
  }
}
