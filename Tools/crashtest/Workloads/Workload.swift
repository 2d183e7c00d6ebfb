import CInterpose
import TestSupport

/// What a store is put through before it crashes.
enum Workload: String, CaseIterable, Sendable {
  case small
  case large
  case trees
  case big
  /// Each kind of change, and commits that are given up.
  case mixed
  /// Commits that don't wait for the medium, with some that do, and flushes.
  case relaxed
  /// Calls to the system that fail now and then.
  case faults
  /// Several threads, each with a lane.
  case group
  /// Rows, their indexes and links.
  case records
  /// Whole syncs of rows.
  case sync
  /// A writer that takes over from one that has died beside a reader. It has processes of its own: see `TakeOver`.
  case takeOver = "take-over"

  /// One of them; the ones that take long are drawn less often.
  static func draw(_ random: inout SplitMix64) -> Workload {
    let workload = random.pick(allCases) ?? .small
    return workload == .big && random.chance(80) ? .small : workload
  }

  /// Creates a store in an empty folder and works with it, leaving it closed.
  func run(at path: String, _ setup: StoreSetup, _ random: inout SplitMix64) throws {
    // A medium takes its time, and then commits go on while a checkpoint, or a flush, is under way.
    interpose_delay_syncs(random.pick([0, 100, 500]) ?? 0)
    defer { interpose_delay_syncs(0) }
    switch self {
    case .small: try LaneWorkload(changes: [.small], commitCount: 40 + random.below(120)).run(at: path, setup, &random)
    case .large: try LaneWorkload(changes: [.large], commitCount: 20 + random.below(40)).run(at: path, setup, &random)
    case .trees: try LaneWorkload(changes: [.trees], commitCount: 20 + random.below(40)).run(at: path, setup, &random)
    case .big: try LaneWorkload(changes: [.big, .bulk, .small], commitCount: 6).run(at: path, setup, &random)
    case .mixed: try LaneWorkload(changes: Change.quick, commitCount: 60).run(at: path, setup, &random)
    case .relaxed:
      try LaneWorkload(changes: Change.quick, commitCount: 80, relaxedPercent: 50 + random.below(51))
        .run(at: path, setup, &random)
    case .faults:
      try LaneWorkload(changes: Change.quick, commitCount: 80, relaxedPercent: random.below(60), hasFaults: true)
        .run(at: path, setup, &random)
    case .group: try GroupWorkload(laneCount: 2 + random.below(6), commitCount: 12).run(at: path, setup, &random)
    case .records: try BoardWorkload(isSync: false, commitCount: 20 + random.below(30)).run(at: path, &random)
    case .takeOver: throw HarnessError("a take-over is no workload of one process")
    case .sync: try BoardWorkload(isSync: true, commitCount: 4 + random.below(6)).run(at: path, &random)
    }
  }
}
