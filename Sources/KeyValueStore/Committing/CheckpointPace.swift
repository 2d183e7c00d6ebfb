/// When a checkpoint is due.
///
/// Between two checkpoints no page is used again that was freed, so a longer interval makes the data file larger, and a
/// shorter one costs more syncs.
struct CheckpointPace {
  private static let publishesMax = 2000
  private static let grownBytesMax = 64 << 20
  private static let interval: UInt64 = 5_000_000_000
  /// While the last checkpoint is not finished, the interval may stretch to this many times its length.
  private static let stretch = 2

  private var publishes = 0
  private var lastPageBefore: Int
  private var firstCommit: UInt64?
  private(set) var lastPage: Int

  private let pageByteCount: Int

  init(lastPage: Int, pageByteCount: Int) {
    self.pageByteCount = pageByteCount
    lastPageBefore = lastPage
    self.lastPage = lastPage
  }

  /// How much of the data file is in use.
  var usedByteCount: Int { (lastPage + 1) * pageByteCount }

  /// Whether anything was committed since the last checkpoint.
  var hasCommits: Bool { firstCommit != nil }

  /// When one is due because of its age; nil when nothing has been committed.
  var deadline: UInt64? { firstCommit.map { $0 + Self.interval } }

  func isDue(_ now: UInt64, isSegmentFull: Bool) -> Bool {
    guard let firstCommit else { return false }
    return isSegmentFull || now >= firstCommit + Self.interval || isOver(1)
  }

  /// Whether writing has to wait for the checkpoint that is not finished yet.
  func isOverdue(_ log: WriteAheadLog) -> Bool {
    isOver(Self.stretch) || log.end.position.offset >= Self.stretch * LogSegment.byteCountMax
  }

  private func isOver(_ factor: Int) -> Bool {
    publishes >= factor * Self.publishesMax
      || (lastPage - lastPageBefore) * pageByteCount >= factor * Self.grownBytesMax
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
