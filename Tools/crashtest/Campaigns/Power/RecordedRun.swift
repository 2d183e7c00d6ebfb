/// A recording, and what has to be known to look at crashes in it.
struct RecordedRun: Sendable {
  let recording: Recording
  let setup: StoreSetup
  let title: String
}
