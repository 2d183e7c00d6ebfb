import KeyValueStore

/// A lane with the store that it is in.
struct LaneWorker {
  private static let number = 0

  private let path: String
  private let setup: StoreSetup
  private(set) var store: OpenStore
  var lane = Lane(number)

  init(at path: String, _ setup: StoreSetup) throws {
    self.path = path
    self.setup = setup
    store = try OpenStore(at: path, lanes: [Self.number], setup)
  }

  func close() { store.close() }

  mutating func reopen() throws {
    store.close()
    store = try OpenStore(at: path, lanes: [Self.number], setup)
  }

  /// Opens the store again after something has failed, and goes on from what is there: everything that was acknowledged,
  /// and perhaps the commit that has failed.
  mutating func recover() throws {
    try reopen()
    let state = try StoreState.read(store.environment)
    let found = Lane(Self.number, state)
    let isSame = found.commit == lane.commit && found.hash == lane.hash
    guard isSame || found.commit == lane.commit + 1 else {
      throw Finding("after a failure the lane is at commit \(found.commit), and was at \(lane.commit)")
    }
    lane = found
    state.markRecovered()
  }

  /// Waits until everything that was acknowledged is on the medium.
  mutating func flush() throws {
    let commit = lane.commit
    try store.flush()
    lane.noteDurable(commit)
  }

  /// Reads what the lane says about itself, which must be its last commit.
  func glance() throws {
    guard let control = store.tables[LaneTables.control(Self.number)] else { return }
    let entry = try store.environment.read { snapshot in
      try snapshot.withValue(for: LaneTables.stateKey, in: control) { LaneEntry($0) } ?? nil
    }
    let found = entry ?? LaneEntry(commit: 0, hash: 0)
    if found != LaneEntry(commit: lane.commit, hash: lane.hash) {
      throw Finding("a snapshot is at commit \(found.commit), and \(lane.commit) was acknowledged before")
    }
  }

  /// Holds a snapshot open while `body` runs. It must be the same afterwards.
  mutating func read(while body: (inout LaneWorker) throws -> Void) throws {
    let tables = Array(store.tables.values)
    try store.environment.read { snapshot in
      let before = try StoreState.read(snapshot, tables)
      try body(&self)
      if try StoreState.read(snapshot, tables) != before { throw Finding("a snapshot has changed while it was open") }
    }
  }
}
