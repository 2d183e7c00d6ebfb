/// A recording, and what has to be known to look at crashes in it.
struct RecordedRun: Sendable {
  let recording: Recording
  let setup: StoreSetup
  let title: String
  /// 1 for the run of a workload, 2 for a recovery.
  let level: Int
}
