import KeyValueStore

/// What a snapshot contains, in one number for each lane.
struct StoreState: Equatable, Sendable {
  struct Lane: Equatable, Sendable {
    var hash: UInt64 = 0
    /// What the lane's entry says; nil when there is none.
    var entry: LaneEntry?
  }

  var lanes: [Int: Lane] = [:]
  /// How many commits of all lanes the store counts; nil when it counts none.
  var commitCount: Int?

  /// Whether content of lane 0 is that of a store of records: no lane has made it.
  var hasRecords: Bool { lanes[0].map { $0.entry == nil && $0.hash != 0 } ?? false }

  /// Reads everything in the newest snapshot, and looks whether it agrees with itself.
  static func read(_ environment: Environment) throws -> StoreState {
    let tables = try environment.tableNames().compactMap { try environment.tableIfPresent($0) }
    return try environment.read { try read($0, tables) }
  }

  /// Reads everything in a snapshot.
  static func read(_ snapshot: Snapshot, _ tables: [Table]) throws -> StoreState {
    var state = StoreState()
    for table in tables { try state.add(table, in: snapshot) }
    for (number, lane) in state.lanes {
      guard let entry = lane.entry else { continue }
      if entry.hash != lane.hash {
        throw Finding("lane \(number) at commit \(entry.commit) has not the content it should")
      }
    }
    let entries = state.lanes.values.compactMap(\.entry)
    if let count = state.commitCount, count != entries.reduce(0, { $0 + $1.commit }) {
      throw Finding("the store counts \(count) commits, and its lanes have other ones: \(entries.map(\.commit))")
    }
    return state
  }

  private mutating func add(_ table: Table, in snapshot: Snapshot) throws {
    let (number, isControl) = LaneTables.lane(of: table.name)
    let seed = EntryHash.hash(of: table.name)
    var count = 0
    var sum: UInt64 = 0
    var order = KeyOrder()
    var entry: LaneEntry?
    var commitCount: UInt64?
    try snapshot.scan(table) { key, value in
      count += 1
      sum &+= EntryHash.hash(key, value, tableSeed: seed)
      if !order.take(key) { throw Finding("table \(table.name) has keys out of order") }
      if isControl { entry = LaneEntry(value) }
      if table.name == LaneTables.order, value.count == 8 {
        commitCount = UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
      }
      return .continue
    }
    let expected = try snapshot.count(in: table)
    if count != expected { throw Finding("table \(table.name) has \(count) entries, and should have \(expected)") }
    if table.name == LaneTables.order {
      self.commitCount = commitCount.map { Int($0) }
    } else if isControl {
      lanes[number, default: Lane()].entry = entry
    } else {
      lanes[number, default: Lane()].hash &+= sum
    }
  }

  /// The commit that a lane is at; 0 when it says nothing.
  func commit(of lane: Int) -> Int { lanes[lane]?.entry?.commit ?? 0 }

  func hash(of lane: Int) -> UInt64 { lanes[lane]?.hash ?? 0 }
}

/// Something that must not be.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
