import Testing

@testable import KeyValueStore

@Suite("Snapshots")
struct SnapshotTests {
  @Test("a snapshot stays as it is while the writer goes on, however often")
  func isolates() throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    func write(_ round: Int) throws {
      try environment.write { transaction in
        for number in 0..<300 { try transaction.put([UInt8](number: round), for: [UInt8](number: number), in: table) }
        if round % 3 == 0 { try transaction.delete([UInt8](number: round), in: table) }
      }
    }
    try write(1)
    try environment.read { first in
      let expected = try first.entries(table)
      #expect(expected.count == 300)
      for round in 2..<40 {
        try write(round)
        #expect(try first.entries(table) == expected)
      }
      #expect(try environment.read { try $0.entries(table) } != expected)
    }
  }

  @Test("a table created after a snapshot is empty for it")
  func knowsNoLaterTables() throws {
    let environment = try Environment.temporary()
    try environment.read { snapshot in
      let table = try environment.table("later")
      try environment.write { try $0.put([1], for: [1], in: table) }
      #expect(try snapshot.value(for: [1], in: table) == nil)
      #expect(try snapshot.count(in: table) == 0)
      #expect(try snapshot.entries(table).isEmpty)
      try snapshot.withCursor(in: table) { cursor throws in
        #expect(try !cursor.first())
        #expect(try !cursor.seek(to: [1]))
        #expect(try !cursor.previous())
      }
      #expect(try environment.read { try $0.count(in: table) } == 1)
    }
  }

  @Test("places for snapshots are used again")
  func reusesPlaces() throws {
    let environment = try Environment.temporary()
    for _ in 0..<1000 { try environment.read { _ in try environment.read { _ in } } }
    let statistics = try environment.statistics()
    #expect(statistics.readerPlacesUsed == 2)
    #expect(statistics.snapshotsOpen == 0)
  }

  @Test("statistics count pages, bytes and transactions")
  func counts() throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    let before = try environment.statistics()
    try environment.write { try $0.put([UInt8](repeating: 1, count: 1 << 20), for: [1], in: table) }
    let after = try environment.statistics()
    #expect(after.lastTransaction == before.lastTransaction + 1)
    #expect(after.pagesUsed - before.pagesUsed >= 1 << 20 / after.pageBytes)
    #expect(after.fileBytes >= 1 << 20)
    #expect(after.mapBytes == 64 << 30)
    #expect(try environment.read { _ in try environment.statistics() }.snapshotsOpen == 1)
  }
}
