/// When a checkpoint is due.
///
/// Between two checkpoints no page is used again that was freed, so a longer interval makes the data file larger, and a
/// shorter one costs more syncs.
struct CheckpointPace {
  /// While the last checkpoint is not finished, the interval may stretch to this many times its length.
  private static let stretch = 2

  private let limits: CheckpointLimits
  private var publishes = 0
  private var lastPageBefore: Int
  private var firstCommit: UInt64?
  private(set) var lastPage: Int

  private let pageByteCount: Int

  init(_ limits: CheckpointLimits, lastPage: Int, pageByteCount: Int) {
    self.limits = limits
    self.pageByteCount = pageByteCount
    lastPageBefore = lastPage
    self.lastPage = lastPage
  }

  /// How much of the data file is in use.
  var usedByteCount: Int { (lastPage + 1) * pageByteCount }

  /// Whether anything was committed since the last checkpoint.
  var hasCommits: Bool { firstCommit != nil }

  /// When one is due because of its age; nil when nothing has been committed.
  var deadline: UInt64? { firstCommit.map { $0 + limits.interval } }

  func isDue(_ now: UInt64, isSegmentFull: Bool) -> Bool {
    guard let firstCommit else { return false }
    return isSegmentFull || now >= firstCommit + limits.interval || isOver(1)
  }

  /// Whether writing has to wait for the checkpoint that is not finished yet.
  func isOverdue(_ log: WriteAheadLog) -> Bool {
    isOver(Self.stretch) || log.end.position.offset >= Self.stretch * LogSegment.byteCountMax
  }

  private func isOver(_ factor: Int) -> Bool {
    publishes >= factor * limits.publishesMax
      || (lastPage - lastPageBefore) * pageByteCount >= factor * limits.grownBytesMax
  }

  mutating func noteCommit() {
    if firstCommit == nil { firstCommit = MonotonicClock.coarse }
  }

  mutating func notePublish(lastPage: Int) {
    publishes += 1
    self.lastPage = lastPage
  }

  mutating func noteCheckpoint() {
    publishes = 0
    lastPageBefore = lastPage
    firstCommit = nil
  }
}

/// How far the store may be from its last checkpoint before the next is due. Smaller limits let a test see many.
package struct CheckpointLimits: Sendable, Hashable {
  package var publishesMax = 2000
  package var grownBytesMax = 64 << 20
  /// In nanoseconds, from the first commit on.
  package var interval: UInt64 = 5_000_000_000

  package init() {}
}
