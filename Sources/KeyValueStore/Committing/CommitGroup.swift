/// Writes that are made durable together.
struct CommitGroup {
  /// The nested transaction with what all members have changed; nil when there are none.
  var transaction: OpaquePointer?
  private(set) var members: [(write: Write, transaction: WriteTransaction)] = []
  /// How many of them have changed something.
  private(set) var commits = 0
  private(set) var sync = SyncNeed.none

  mutating func add(_ write: Write, _ transaction: WriteTransaction, hasChanged: Bool) {
    members.append((write, transaction))
    if hasChanged { commits += 1 }
    sync.add(SyncNeed(write.durability, hasChanged: hasChanged))
  }

  /// Whether a member wants to act on its commit on the writer thread.
  var actsOnWriterThread: Bool { members.contains { $0.transaction.actsOnWriterThread } }

  /// Lets the members act on their commits, in the order of these.
  func noteCommitted() {
    for (_, transaction) in members { transaction.noteCommitted() }
  }
}

/// Writes of which it is known how they have ended, but not yet to their callers.
///
/// These are told without the turn: they may have the next write ready at once, and the last of them may have to close the
/// environment, which waits for the writer thread.
struct EndedGroup {
  private let writes: [Write]
  private let error: (any Error)?

  init(_ group: CommitGroup, _ error: (any Error)?) {
    writes = group.members.map(\.write)
    self.error = error
  }

  init(_ write: Write, _ error: any Error) {
    writes = [write]
    self.error = error
  }

  /// Tells the callers, in the order of their commits.
  func tellCallers() {
    for write in writes { write.end(error) }
  }
}

/// When frames have to be on the medium.
enum SyncNeed: Equatable {
  case none
  /// Before they are acknowledged.
  case now
  /// Some nanoseconds after that.
  case within(UInt64)

  /// What one write asks for. One with `.full` that changes nothing still waits for what was written before it, which
  /// makes it a flush.
  init(_ durability: Durability, hasChanged: Bool) {
    if let interval = durability.flushInterval {
      self = hasChanged ? .within(interval) : .none
    } else {
      self = .now
    }
  }

  mutating func add(_ other: SyncNeed) {
    switch (self, other) {
    case (.now, _), (_, .none): break
    case (.none, _), (_, .now): self = other
    case (.within(let left), .within(let right)): self = .within(min(left, right))
    }
  }
}
