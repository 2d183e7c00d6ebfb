import Records
import SyncEngine
import TestSupport

/// A store of records, and the commits that are made to it. Their content is known only when they are made: lane 0.
struct Board {
  let store: RecordStore
  private let plans = MappingPlans()
  private var commit = 0

  /// Creates the store, or opens it.
  init(at path: String, afterCommit last: Int = 0) throws {
    commit = last
    let next = last + 1
    Mark(.begun, commit: next).post()
    store = try RecordStore(at: path, schema: .board)
    Mark(.created).post()
    try noteCommitted()
  }

  /// Runs a transaction as a commit.
  mutating func write(_ body: @Sendable (RecordTransaction, MappingPlans) throws -> Void) throws {
    let plans = plans
    Mark(.begun, commit: commit + 1).post()
    try store.write { try body($0, plans) }
    try noteCommitted()
  }

  /// Syncs a payload as a commit.
  mutating func sync(_ json: [UInt8]) throws {
    let request = SyncRequest(entity: "Item", document: try PayloadDocument(json: json))
    try write { transaction, plans in _ = try request.run(in: transaction, plans: plans) }
  }

  private mutating func noteCommitted() throws {
    commit += 1
    Mark(.acknowledged, commit: commit).post()
    Mark(.durable, commit: commit).post()
    Mark(.hashed, commit: commit, hash: try StoreState.read(store.environment).hash(of: 0)).post()
  }

  var commitCount: Int { commit }

  /// Throws a `Finding` if records, indexes and links don't agree.
  static func check(_ store: RecordStore) throws {
    let violations = try store.read { try $0.checkInvariants() }
    if let first = violations.first { throw Finding("\(violations.count) invariants are broken: \(first)") }
  }
}
