/// What has to be on the medium before the first frame behind what a store was closed with: docs/recovery.md, "Opening".
///
/// It comes with that frame and not with the opening, because most who open a store read first, and many only read, or write
/// what is there already.
struct Resumption {
  let files: StoreFiles
  let log: WriteAheadLog
  let checkpointer: Checkpointer

  /// Makes the snapshot that the store was closed with a checkpoint of this process, from which the log begins a new timeline.
  ///
  /// LMDB's transaction may be open that the frame is of. When it throws, nothing may be logged. The store is what it was, or one with the new record.
  func run() throws(CheckpointFailure) {
    // What was read may be in the system's cache only. Were writers to die here one after the other, their records would go
    // round the ring and reach the slot of the last durable one.
    do { try files.ring.sync() } catch { throw CheckpointFailure(error) }
    let pending = try checkpointer.begin(log, timeline: Self.timeline)
    do throws(FileError) {
      try checkpointer.finish(pending)
      // The same holds for the files' names.
      try files.files.sync(files.folder)
    } catch {
      throw CheckpointFailure(error)
    }
  }

  /// A new timeline; nil to go on in the last one.
  static var timeline: UInt64? {
    #if BROKEN_VARIANTS
    if BrokenVariant.active == .noFreshTimeline { return nil }
    #endif
    return .random(in: .min ... .max)
  }
}
