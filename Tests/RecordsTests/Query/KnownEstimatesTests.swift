import Testing

@testable import Records

/// What a planner has counted is used again, but only as long as it is true.
@Suite struct KnownEstimatesTests {
  private static let schema = StoreSchema(entities: [
    EntityDescription(
      name: "Task", attributes: [AttributeDescription(name: "size", type: .int64)], indexes: [["size"]])
  ])

  private func insert(_ count: Int, into store: RecordStore) throws {
    try store.write { transaction in
      for size in 0..<count { try Self.insert(Int64(size), in: transaction) }
    }
  }

  private static func insert(_ size: Int64, in transaction: RecordTransaction) throws {
    _ = try transaction.insert("Task") { builder, _ in builder.setInt64(0, size) }
  }

  @Test func estimatesFollowCommits() throws {
    let store = try RecordStore.temporary(schema: Self.schema)
    defer { store.close() }
    var expected = 0
    for count in [100, 50, 70] {
      try insert(count, into: store)
      expected += count
      // The second one is remembered, and a smaller part is not taken for the larger.
      for _ in 0..<2 { #expect(try store.read { try $0.estimate(from: 0) } == expected) }
      #expect(try store.read { try $0.estimate(from: 99) } == 1)
    }
  }

  @Test func transactionsSeeWhatTheyHaveWritten() throws {
    let store = try RecordStore.temporary(schema: Self.schema)
    defer { store.close() }
    try insert(100, into: store)
    #expect(try store.read { try $0.estimate(from: 0) } == 100)
    let estimates = try store.write { transaction in
      for size in 0..<20 { try Self.insert(Int64(size), in: transaction) }
      return try (transaction.estimate(from: 0), transaction.estimate(from: 0))
    }.result
    #expect(estimates == (120, 120))
  }
}

extension RecordSnapshot {
  /// How many rows the planner takes a condition on the index to have.
  fileprivate func estimate(from size: Int64) throws -> Int {
    let task = try #require(catalog.entity(named: "Task"))
    let query = RecordQuery(task, where: .compare(.field(0), .greaterOrEqual, .constant(.int(size))))
    let planner = QueryPlanner(query, in: self)
    let access = try #require(IndexAccess(task.indexes[0], planner.constraints))
    return try planner.estimate(of: access, total: count(of: task)).count
  }
}
