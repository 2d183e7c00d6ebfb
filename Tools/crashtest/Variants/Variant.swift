import CInterpose
import Glibc
import KeyValueStore

/// A store that is broken on purpose, to show that its fault would be found.
enum Variant: String, CaseIterable, Sendable {
  /// Nothing is ever synced.
  case unsynced
  case dataUnsynced = "data-unsynced"
  case logUnsynced = "log-unsynced"
  case recordUnsynced = "record-unsynced"
  case folderUnsynced = "folder-unsynced"
  /// LMDB goes on with whatever its meta pages say after a crash.
  case metasNotRolledBack = "metas-not-rolled-back"
  case oneMetaRolledBack = "one-meta-rolled-back"
  case recordInPlace = "record-in-place"
  /// What a recovery would be without a log: LMDB without syncs.
  case logIgnored = "log-ignored"
  case failedSyncRetried = "failed-sync-retried"
  /// A writer that takes over, or recovers, changes pages before the checkpoint that it rests on is certain.
  case firstRecordMissing = "first-record-missing"

  /// These need a build with `BROKEN_VARIANTS`.
  case noPin = "no-pin"
  case pinReleasedEarly = "pin-released-early"
  case unchainedFrames = "unchained-frames"
  case segmentUnsynced = "segment-unsynced"
  case logReusedEarly = "log-reused-early"

  /// The ones that this build has.
  static var available: [Variant] {
    #if BROKEN_VARIANTS
    return allCases
    #else
    return allCases.filter { $0.switchName == nil }
    #endif
  }

  /// The name of the switch in the product's code; nil for a variant that needs none.
  private var switchName: String? {
    switch self {
    case .noPin: "noPin"
    case .pinReleasedEarly: "pinReleasedEarly"
    case .unchainedFrames: "unchainedFrames"
    case .segmentUnsynced: "segmentUnsynced"
    case .logReusedEarly: "logReusedEarly"
    default: nil
    }
  }

  /// Where the fault shows best; nil for everywhere.
  var workload: Workload? {
    switch self {
    case .failedSyncRetried: .faults
    case .firstRecordMissing: .takeOver
    case .unchainedFrames, .segmentUnsynced: .relaxed
    case .metasNotRolledBack, .oneMetaRolledBack, .recordInPlace, .logIgnored: .mixed
    default: nil
    }
  }

  /// Breaks what happens in this process from now on, and says how the store is to be opened.
  func setup(of setup: StoreSetup) -> StoreSetup {
    var setup = setup
    switch self {
    case .unsynced: interpose_ignore_syncs("*")
    case .dataUnsynced: interpose_ignore_syncs("data.mdb")
    case .logUnsynced: interpose_ignore_syncs("wal.")
    case .recordUnsynced: interpose_ignore_syncs("checkpoint")
    case .folderUnsynced: interpose_ignore_syncs("")
    case .metasNotRolledBack: setup.files = MetasNotRolledBack(isOnlySecond: false)
    case .oneMetaRolledBack: setup.files = MetasNotRolledBack(isOnlySecond: true)
    case .recordInPlace: setup.files = RecordInPlace()
    case .logIgnored: setup.files = LogIgnored()
    case .failedSyncRetried: setup.files = FailedSyncRetried()
    case .firstRecordMissing: setup.files = FirstRecordMissing()
    case .noPin, .pinReleasedEarly, .unchainedFrames, .segmentUnsynced, .logReusedEarly:
      if let switchName { setenv("BROKEN_VARIANT", switchName, 1) }
    }
    return setup
  }
}
