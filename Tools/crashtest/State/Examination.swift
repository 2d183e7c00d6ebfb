import KeyValueStore
import Records
import TestSupport

/// Opens what a crash has left, and looks whether it is what it may be, and whether it goes on working.
struct Examination: Sendable {
  /// A lane for stores whose content no lane has made.
  private static let spareLane = 9

  var setup = StoreSetup()
  var expectation: Expectation
  var commitCount = 3
  /// Whether the store's own check is run, which takes as long as all the rest.
  var verifies = true

  /// Throws a `Finding` for whatever must not be.
  func run(at path: String, _ random: inout SplitMix64) throws {
    if verifies, expectation.isStoreCertain {
      try finding("verifying the closed store") { try Structure.verify(at: path) }
    }
    let found = try finding("opening") { try setup.open(path) }
    let state: StoreState
    do {
      defer { found.close() }
      state = try finding("reading") { try StoreState.read(found) }
      try expectation.check(state)
      state.markRecovered()
      if verifies { try finding("verifying") { try Structure.verify(found) } }
      if state.hasRecords { try finding("checking the records") { try checkRecords(at: path) } }
      if commitCount == 0 { return }
      try goOn(from: state, at: path, &random)
    }
  }

  private func goOn(from state: StoreState, at path: String, _ random: inout SplitMix64) throws {
    let numbers = state.lanes.filter { $0.value.entry != nil }.keys.sorted()
    var lanes = (numbers.isEmpty ? [Self.spareLane] : numbers).map { Lane($0, state) }
    let store = try finding("opening again") { try OpenStore(at: path, lanes: lanes.map(\.number), setup) }
    defer { store.close() }
    for _ in 0..<commitCount {
      let change = random.pick(Change.quick) ?? .small
      let seed = random.next()
      let place = random.below(lanes.count)
      try finding("committing") { try lanes[place].write(store) { try change.apply(to: $0, seed: seed) } }
    }
    let now = try finding("reading again") { try StoreState.read(store.environment) }
    var expected = Expectation(exactly: state)
    for lane in lanes { expected.lanes[lane.number] = lane.expectation }
    try expected.check(now)
    if verifies {
      try finding("verifying again") { try Structure.verify(store.environment) }
    }
    if random.chance(30) {
      store.close()
      let reopened = try finding("opening a last time") { try setup.open(path) }
      defer { reopened.close() }
      try expected.check(try finding("reading a last time") { try StoreState.read(reopened) })
      reopened.close()
      if verifies {
        try finding("verifying a last time") { try Structure.verify(at: path) }
      }
    }
  }

  /// Rows, indexes and links must agree, and the store must still be one of records.
  private func checkRecords(at path: String) throws {
    let store = try RecordStore(at: path, schema: .board)
    defer { store.close() }
    try Board.check(store)
  }

  /// Turns errors into findings.
  private func finding<Result>(_ step: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let finding as Finding { throw finding } catch let error as HarnessError {
      throw error
    } catch {
      throw Finding("\(step) failed: \(error)")
    }
  }
}

extension StoreState {
  /// Marks that a recovery has settled what is there.
  func markRecovered() {
    for (number, lane) in lanes {
      Mark(.recovered, lane: number, commit: lane.entry?.commit ?? 0, hash: lane.hash).post()
    }
    Mark(.settled).post()
  }
}

extension Lane {
  /// That the lane is found as it is now.
  var expectation: Expectation.Lane {
    Expectation.Lane(states: [Expectation.State(commit: commit, hash: hash)])
  }
}
