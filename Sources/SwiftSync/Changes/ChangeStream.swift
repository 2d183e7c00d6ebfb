import Records
import Synchronization

/// What is committed to a store, commit by commit: by any context and sync of the container and, in a container that only
/// reads, by the process that writes.
///
/// ```swift
/// for try await element in container.changes {
///   switch element {
///   case .committed(let changes): index.update(changes[Task.self].inserted)
///   case .resynchronize: index.rebuild()
///   }
/// }
/// ```
///
/// Each iterator begins where the stream was made, and sees every commit behind that place once and in order, or is told with
/// `resynchronize` that it could not. A reader that is slow costs no memory: it reads on in the store's history. An iteration ends when its
/// task is cancelled or the store is closed; as long as there is a stream or an iterator, the store stays open.
///
/// It throws, once and then ends, `RecordError.damagedTransaction`, `RecordError.schemaChanged` when the store has another schema
/// by now and has to be opened again, `HistoryError.unknownToken` and `StoreError`.
/// `docs/change-stream.md` says more.
public struct ChangeStream: AsyncSequence, Sendable {
  /// What happened.
  public enum Element: Sendable {
    /// A save or a sync was committed.
    case committed(CommittedChanges)
    /// Commits were missed, so whoever keeps something that follows the store has to make it anew from the store's rows. What
    /// comes next in the stream is behind the token, which the rows show at least, or is nil if the store keeps no history.
    case resynchronize(ResynchronizationReason, DefaultHistoryToken?)
  }

  /// What an iteration throws.
  public typealias Failure = any Error

  private let start: ChangeStreamStart

  init(_ start: ChangeStreamStart) {
    self.start = start
  }

  /// Reads the stream from its beginning.
  public func makeAsyncIterator() -> Iterator {
    Iterator(start.makeReader())
  }

  /// Reads a stream. It belongs to one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: ChangeReader

    init(_ reader: ChangeReader) {
      self.reader = reader
    }

    /// Waits for the next commit; nil at the end.
    public mutating func next() async throws -> Element? {
      try await reader.next()
    }

    /// Waits for the next commit on the caller's actor; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await reader.next()
    }
  }
}

/// Why a stream of changes could not tell of every commit.
public enum ResynchronizationReason: Sendable, Hashable {
  /// The history does not go back to where the reader was: it came too late, or was too slow.
  case historyExpired
  /// Somebody has deleted transactions of the history that the reader had not seen yet.
  case historyDeleted
  /// The store keeps no history, and the reader was too slow, began later than the stream, or is in another process.
  case historyNotKept

  init(_ gap: HistoryGap) {
    switch gap {
    case .expired: self = .historyExpired
    case .deleted: self = .historyDeleted
    case .notKept: self = .historyNotKept
    }
  }
}

extension ModelContainer {
  /// Everything that is committed from now on.
  ///
  /// What a call has saved or synced that returned before is not part of it, what one does that begins later is.
  public var changes: ChangeStream {
    ChangeStream(ChangeStreamStart(core))
  }

  /// Everything that was committed behind a token, and goes on with what will be. Between the two nothing is missing, and nothing comes
  /// twice.
  ///
  /// Whoever has worked through an element keeps its token, and goes on from there after a restart. If the history does not go back
  /// to the token any more, the first element is `resynchronize`.
  ///
  /// - Throws: `HistoryError.foreignToken`; `HistoryError.unknownToken` for a token that the store has not come to, because it was
  ///   put back to an earlier state; what reading throws.
  public func changes(since token: DefaultHistoryToken) throws -> ChangeStream {
    try ChangeStream(ChangeStreamStart(core, since: token))
  }
}

extension SyncContainer {
  /// Everything that is committed from now on, as `ModelContainer.changes`.
  public var changes: ChangeStream { modelContainer.changes }

  /// Everything that was committed behind a token, as `ModelContainer.changes(since:)`.
  public func changes(since token: DefaultHistoryToken) throws -> ChangeStream {
    try modelContainer.changes(since: token)
  }
}
