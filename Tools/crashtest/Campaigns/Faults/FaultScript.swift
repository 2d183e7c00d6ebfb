import KeyValueStore
import TestSupport

/// Everything that a store does, in a fixed order: it is created, written, closed, opened again, recovered after a crash,
/// and read by somebody who can't write.
///
/// Two stores are used: a new one, whose lane is 0, and one that was left by a crash, whose lane is 1.
struct FaultScript {
  private static let newLane = 0
  private static let crashedLane = 1

  let folder: String

  /// Checkpoints whenever there is something to make one of.
  private static var setup: StoreSetup {
    var setup = StoreSetup()
    setup.options.checkpoints.publishesMax = 1
    return setup
  }

  private var new: String { "\(folder)/new" }
  private var crashed: String { "\(folder)/crashed" }

  /// Makes what a crash leaves: the files of a store that is open, with commits that are in the log only.
  static func makeCrashedStore(at path: String, scratch: String) throws -> StoreState {
    try Folder.empty(scratch)
    let store = try OpenStore(at: scratch, lanes: [crashedLane])
    defer { store.close() }
    var lane = Lane(crashedLane)
    for number in 0..<12 { try lane.write(store) { try Change.small.apply(to: $0, seed: UInt64(number)) } }
    // The copy is made by reading the files and not LMDB's lock file, whose locks would go when it is closed.
    try Folder.empty(path)
    for name in try Folder.names(in: scratch) where !Medium.volatileNames.contains(name) {
      try Folder.write(Folder.bytes(of: "\(scratch)/\(name)"), to: "\(path)/\(name)")
    }
    return try StoreState.read(store.environment)
  }

  /// Puts the stores in place.
  func prepare(crashedStore: String) throws {
    try Folder.empty(folder)
    try Folder.copy(crashedStore, to: crashed)
  }

  /// Runs the script. Each step that fails is left, and what does not need it goes on.
  func run() throws {
    try step { try use(new, lane: Self.newLane, changes: [.small, .large, .small, .bulk, .trees, .small]) }
    try step { try use(new, lane: Self.newLane, changes: [.small, .small]) }
    try step { try use(crashed, lane: Self.crashedLane, changes: [.small, .trees]) }
    for path in [new, crashed] {
      try step {
        let environment = try StoreSetup.readOnly.open(path)
        defer { environment.close() }
        _ = try StoreState.read(environment)
      }
    }
  }

  private func use(_ path: String, lane number: Int, changes: [Change]) throws {
    let store = try OpenStore(at: path, lanes: [number], Self.setup)
    defer { store.close() }
    let state = try StoreState.read(store.environment)
    var lane = Lane(number, state)
    Mark(.recovered, lane: number, commit: lane.commit, hash: lane.hash).post()
    for (index, change) in changes.enumerated() {
      let level = index % 2 == 0 ? CommitLevel.durable : .relaxed
      try step { try lane.write(store, level) { try change.apply(to: $0, seed: UInt64(index)) } }
      // Publishes, and so gives a checkpoint the occasion to begin.
      try step { _ = try StoreState.read(store.environment) }
    }
    try step { try store.flush() }
  }

  /// Only the store's own errors may come out of a step.
  private func step(_ body: () throws -> Void) throws {
    do { try body() } catch is StoreError {} catch let error as Finding { throw error } catch {
      throw Finding("an error came out that is not the store's: \(error)")
    }
  }

  /// Looks whether both stores are what the marks say, and go on working.
  func check(_ ledger: Ledger, _ random: inout SplitMix64) throws {
    let all = ledger.expectation(afterPowerCut: false)
    for (path, number) in [(new, Self.newLane), (crashed, Self.crashedLane)] {
      var expectation = Expectation()
      expectation.lanes[number] = all.lanes[number]
      try Examination(expectation: expectation).run(at: path, &random)
    }
  }
}
