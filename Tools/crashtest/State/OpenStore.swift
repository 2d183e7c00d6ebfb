import KeyValueStore
import TestSupport

/// A store that a workload has open, with the tables of its lanes.
struct OpenStore: Sendable {
  let environment: Environment
  let tables: [String: Table]

  /// Opens a store, or creates it, with the tables of some lanes.
  init(at path: String, lanes: [Int], _ setup: StoreSetup = StoreSetup()) throws {
    environment = try setup.open(path)
    Mark(.created).post()
    do {
      let names = lanes.flatMap { LaneTables.content($0) + [LaneTables.control($0)] } + [LaneTables.order]
      let tables = try environment.tables(names)
      self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
    } catch {
      environment.close()
      throw error
    }
  }

  func write<Result: Sendable>(
    _ level: CommitLevel, _ body: @Sendable (WriteTransaction) throws -> Result
  ) throws -> Result {
    try environment.write(durability: level.durability, body)
  }

  /// Waits until everything that was acknowledged survives a power cut.
  func flush() throws {
    try environment.flush()
  }

  func close() {
    environment.close()
  }
}

/// How a store is opened.
struct StoreSetup: Sendable {
  var options = Environment.Options(mapBytesInitial: 1 << 30)
  var files: any FileSystem = SystemFiles()

  init() {}

  /// Only for reading.
  static var readOnly: StoreSetup {
    var setup = StoreSetup()
    setup.options.access = .readOnly
    return setup
  }

  /// Checkpoints so often that some of them are always under way.
  static func withManyCheckpoints(_ random: inout SplitMix64) -> StoreSetup {
    var setup = StoreSetup()
    setup.options.checkpoints.publishesMax = 1 + random.below(12)
    setup.options.checkpoints.interval = UInt64(1 + random.below(20)) * 1_000_000
    return setup
  }

  func open(_ path: String) throws -> Environment {
    try Environment(at: path, options: options, files: files)
  }
}

/// What a commit waits for.
enum CommitLevel: Sendable {
  case durable
  case relaxed

  var durability: Durability {
    switch self {
    case .durable: .full
    case .relaxed: .relaxed(flushEvery: .milliseconds(5))
    }
  }

  /// Whether an error leaves it open what a write has done.
  static func isOutcomeUnknown(_ error: any Error) -> Bool {
    guard let error = error as? StoreError else { return false }
    switch error {
    case .outcomeUnknown, .mustReopen: return true
    default: return false
    }
  }
}
