/// What a store has done since this process opened it. All counts only grow.
public struct EnvironmentMetrics: Sendable, Hashable {
  /// Writes that have been committed and have changed something.
  public var commits = 0
  /// Groups of commits that were made durable together.
  public var groups = 0
  /// The most commits that one group had.
  public var groupSizeMax = 0
  /// Bodies that were run again, because a reader waited, or because they needed a transaction of their own or a larger map.
  public var reruns = 0
  /// Transactions that went around the log because they changed too much for it.
  public var bulkTransactions = 0
  /// Syncs of the log. Those of checkpoints are not counted.
  public var syncs = 0
  /// Bytes written to the log.
  public var logBytes = 0
  /// How often LMDB has taken over what the log had before it.
  public var publishes = 0
  /// Pages by which the data file has become longer.
  public var pagesGrown = 0
  /// Checkpoints that were finished.
  public var checkpoints = 0
  /// How long these took in all.
  public var checkpointTime = Duration.zero
  /// How long the last of them took.
  public var checkpointTimeLast = Duration.zero
  /// How long the longest of them took.
  public var checkpointTimeMax = Duration.zero
  /// How many commits the recovery at opening found in the log.
  public var commitsRecovered = 0
  /// How long the oldest snapshot that this process has open now has been open; nil when none is.
  public var oldestSnapshotAge: Duration?
}
