import CLMDB
import Testing

@testable import KeyValueStore

@Suite("Long keys")
struct LongKeyTests {
  private let environment: Environment
  private let table: Table
  private let long = [UInt8](repeating: 9, count: 500)

  init() throws {
    environment = try .temporary()
    table = try environment.table("t")
  }

  @Test("keys of every length around the limits are told apart", arguments: [495, 496, 497, 510, 511, 512, 1 << 24])
  func holdsKeys(byteCount: Int) throws {
    let table = table
    let key = [UInt8](repeating: 3, count: byteCount)
    let stem = Array(key.dropLast())
    var neighbours: [[UInt8]] = [stem, stem + [2], stem + [4]]
    if byteCount < 1 << 24 { neighbours.append(key + [0]) }
    let others = neighbours
    try environment.write { transaction in
      try transaction.put([1], for: key, in: table)
      for neighbour in others {
        #expect(try !transaction.contains(neighbour, in: table))
        #expect(try !transaction.delete(neighbour, in: table))
        #expect(try transaction.insert([2], for: neighbour, in: table))
        #expect(try transaction.value(for: neighbour, in: table) == [2])
      }
      #expect(try !transaction.insert([3], for: key, in: table))
    }
    try environment.read { snapshot throws in
      #expect(try snapshot.value(for: key, in: table) == [1])
      #expect(try snapshot.entries(table, in: .from(key, through: key)) == [Pair(key: key, value: [1])])
    }
  }

  @Test("two stores hash the same key differently")
  func seedsHashes() throws {
    let other = try Environment.temporary()
    let stored = [environment, other].map { environment in
      long.withUnsafeBytes { StoredKey.with($0, seed: environment.core.seed) { Array($0.bytes) } }
    }
    #expect(stored[0] != stored[1])
    #expect(stored[0].prefix(495) == stored[1].prefix(495))
    #expect(stored.allSatisfy { $0.count == 511 })
  }

  @Test("a key whose place is taken by another is not found, not deleted and not stored")
  func refusesCollisions() throws {
    let (table, long) = (table, long)
    let other = Array(long.dropLast()) + [8]
    // Nobody can make two keys with one hash, so the entry is put there by hand.
    try putEntry(Self.entry(of: other, value: [1]), at: long)
    try environment.write { transaction in
      #expect(try transaction.value(for: long, in: table) == nil)
      #expect(try !transaction.delete(long, in: table))
      #expect(throws: StoreError.keyCollision(table: "t")) { try transaction.put([2], for: long, in: table) }
      #expect(throws: StoreError.keyCollision(table: "t")) { try transaction.insert([2], for: long, in: table) }
      try transaction.withSortedWriter(in: table) { writer throws in
        #expect(throws: StoreError.keyCollision(table: "t")) { try writer.put([2], for: long) }
        #expect(try !writer.delete(long))
      }
      #expect(try transaction.entries(table) == [Pair(key: other, value: [1])])
    }
  }

  @Test("an entry that does not begin with its key is damage", arguments: [0, 3, 4, 100, 503])
  func detectsDamage(byteCount: Int) throws {
    let (environment, table, long) = (environment, table, long)
    try putEntry(Array(Self.entry(of: long, value: []).prefix(byteCount)), at: long)
    let uses: [(Snapshot) throws -> Void] = [
      { _ = try $0.value(for: long, in: table) },
      { _ = try $0.entries(table) },
      { try $0.withCursor(in: table) { _ = try $0.first() } },
    ]
    for use in uses {
      #expect {
        try environment.read { try use($0) }
      } throws: { error in
        if case StoreError.damaged = error { true } else { false }
      }
    }
  }

  private static func entry(of key: [UInt8], value: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(key.count).littleEndian) { Array($0) } + key + value
  }

  private func putEntry(_ entry: [UInt8], at key: [UInt8]) throws {
    let table = table
    let code = try environment.write { transaction in
      key.withUnsafeBytes { key in
        entry.withUnsafeBytes { entry in
          var value = MDB_val(entry)
          return StoredKey.with(key, seed: transaction.environment.seed) {
            mdb_put(transaction.transaction, table.handle, &$0, &value, 0)
          }
        }
      }
    }
    #expect(code == MDB_SUCCESS)
  }
}
