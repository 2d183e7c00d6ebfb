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

  /// Tells the members how it has ended, in the order of their commits.
  func end(_ error: (any Error)?) {
    for (write, transaction) in members {
      if error == nil { transaction.noteCommitted() }
      write.end(error)
    }
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
