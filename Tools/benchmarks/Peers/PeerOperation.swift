/// What peers are compared by. The raw value is the name of the case.
enum PeerOperation: String, CaseIterable, Sendable {
  case firstSync = "A"
  case sameSync = "B"
  case nextSync = "C"
  case upserts = "D"
  case upsertsOf8 = "D-8"
  case upsertsOf64 = "D-64"
  case findRecords = "E-records"
  case findObjects = "E-objects"
  case fetchObjects = "E-fetch"
  case list = "F"
  case urgent = "G"
  case urgentIndexed = "G-indexed"
  case export = "H"
  case open = "I"
  case openCold = "I-cold"

  var summary: String {
    switch self {
    case .firstSync: "first sync of the tracker, from files to a durable commit"
    case .sameSync: "the same payload again"
    case .nextSync: "the next payload: 1 % changed, 1 % gone, 1 % new"
    case .upserts: "single tasks stored durably, one at a time"
    case .upsertsOf8: "the same from 8 tasks at the same time"
    case .upsertsOf64: "the same from 64 tasks at the same time"
    case .findRecords: "tasks looked up by identity, ours as records"
    case .findObjects: "tasks looked up by identity, ours as objects"
    case .fetchObjects: "the same, ours by a fetch with a predicate for each"
    case .list: "the tasks of 200 projects, latest change first"
    case .urgent: "the 50 newest of the tasks with a high priority, 20 times"
    case .urgentIndexed: "the same with an index on the time of creation"
    case .export: "the JSON of 200 projects with their tasks and users"
    case .open: "opening a store and reading one task"
    case .openCold: "the same with no page of the store in memory"
    }
  }

  /// What the store has at the beginning.
  enum Start {
    case empty
    /// The first payload; nothing is changed.
    case filled
    /// A copy of a store with the first payload.
    case copy
  }

  var start: Start {
    switch self {
    case .firstSync: .empty
    case .nextSync, .upserts, .upsertsOf8, .upsertsOf64: .copy
    default: .filled
    }
  }

  var isIndexed: Bool { self == .urgentIndexed }

  /// How often a turn asks the same again, so that there is something to measure.
  var repetitions: Int {
    switch self {
    case .urgent, .urgentIndexed: 20
    default: 1
    }
  }

  var concurrency: Int {
    switch self {
    case .upsertsOf8: 8
    case .upsertsOf64: 64
    default: 1
    }
  }
}
