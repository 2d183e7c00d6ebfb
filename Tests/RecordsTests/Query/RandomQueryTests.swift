import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// Random queries on random rows, with and without indexes, in snapshots and in transactions, give what asking every row gives.
@Suite struct RandomQueryTests {
  @Test(arguments: 1...4)
  func queriesGiveWhatAskingEveryRowGives(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let world = QueryWorld(itemCount: 5 + random.below(60), using: &random)
    for isIndexed in [true, false] {
      let store = try world.store(isIndexed: isIndexed)
      defer { store.close() }
      var generator = QueryGenerator(catalog: store.catalog, world: world, random: random)
      let oracle = QueryOracle(world: world, catalog: store.catalog)
      try store.read { snapshot in
        for _ in 0..<200 {
          guard let query = generator.query() else { continue }
          guard try check(query, in: snapshot, against: oracle) else { return }
        }
      }
    }
  }

  @Test(arguments: 1...3)
  func transactionsQueryWhatTheyHaveWritten(seed: UInt64) throws {
    var random = SplitMix64(seed: seed + 100)
    let world = QueryWorld(itemCount: 40, using: &random)
    let store = try RecordStore.temporary(schema: QueryWorld.schema(isIndexed: true))
    defer { store.close() }
    let start = random
    try store.write { transaction in
      try world.insert(into: transaction)
      var generator = QueryGenerator(catalog: store.catalog, world: world, random: start)
      let oracle = QueryOracle(world: world, catalog: store.catalog)
      for _ in 0..<100 {
        guard let query = generator.query() else { continue }
        guard try check(query, in: transaction, against: oracle) else { return }
      }
    }
  }

  /// Compares what every plan of a query gives, and its counts; false, after recording what was wrong, if any differs.
  private func check(_ query: RecordQuery, in snapshot: RecordSnapshot, against oracle: QueryOracle) throws -> Bool {
    let expected = try oracle.rows(query)
    let isOdd = { (row: RowNumber) in row.rawValue % 2 == 1 }
    let expectedOdd = try oracle.rows(query, accepting: isOdd)
    let best = try snapshot.plan(query)
    let count = try snapshot.count(query)
    let oddCount = try snapshot.count(query, accepting: { row, _ in isOdd(row) })
    let planner = QueryPlanner(query, in: snapshot)
    var isRight = count == expected.count && oddCount == expectedOdd.count
    #expect(isRight, "\(best) has \(count) and \(oddCount) rows")
    for choice in try planner.choices() where isRight {
      let plan = try planner.plan(choice)
      let found = try snapshot.rows(plan)
      let odd = try snapshot.rows(plan, accepting: { row, _ in isOdd(row) })
      var visited: [RowNumber] = []
      try snapshot.run(plan) { row, _ in
        visited.append(row)
        return .continue
      }
      isRight = found == expected && visited == expected && odd == expectedOdd
      #expect(
        isRight,
        """
        \(query.condition.text(in: query.entity, snapshot.catalog))
        \(plan)
        expected \(expected), rows \(found), run \(visited)
        expected odd \(expectedOdd), rows \(odd)
        """)
    }
    return isRight
  }
}
