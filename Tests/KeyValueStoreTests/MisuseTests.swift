import KeyValueStore
import Testing

/// What a caller can do wrong is an error that says so, and changes nothing.
@Suite("Misuse")
struct MisuseTests {
  private let environment: Environment
  private let table: Table

  init() throws {
    environment = try .temporary()
    table = try environment.table("t")
  }

  @Test("keys and values beyond the limits are refused, and the transaction goes on")
  func refusesSizes() throws {
    let table = table
    let tooLong = [UInt8](repeating: 1, count: 1 << 24 + 1)
    try environment.write { transaction throws in
      #expect(throws: StoreError.emptyKey) { try transaction.put([1], for: [], in: table) }
      #expect(throws: StoreError.emptyKey) { try transaction.insert([1], for: [], in: table) }
      #expect(throws: StoreError.keyTooLong(byteCount: tooLong.count, max: 1 << 24)) {
        try transaction.put([1], for: tooLong, in: table)
      }
      for byteCount in [-1, 1 << 32, Int.max] {
        #expect {
          try [1].withUnsafeBytes { try transaction.put(valueByteCount: byteCount, for: $0, in: table) { _ in } }
        } throws: { error in
          if case StoreError.valueSizeInvalid(byteCount, _) = error { true } else { false }
        }
      }
      try transaction.put([2], for: [2], in: table)
    }
    #expect(try environment.read { try $0.entries(table) } == [Pair(key: [2], value: [2])])
  }

  @Test("asking for a key that can't exist finds nothing")
  func findsNoImpossibleKeys() throws {
    let table = table
    let tooLong = [UInt8](repeating: 1, count: 1 << 24 + 1)
    try environment.write { transaction throws in
      for key in [[], tooLong] {
        #expect(try transaction.value(for: key, in: table) == nil)
        #expect(try !transaction.delete(key, in: table))
      }
    }
  }

  @Test("nothing that a closure was given works after it")
  func endsWithItsClosure() throws {
    let table = table
    let box = Escaped()
    try environment.read { box.snapshot = $0 }
    try environment.write { transaction throws in
      box.transaction = transaction
      try transaction.put([1], for: [1], in: table)
      try transaction.withSortedWriter(in: table) { box.writer = $0 }
      try transaction.withCursor(in: table) { cursor in
        try cursor.first()
        box.cursor = cursor
      }
      let cursor = try #require(box.cursor)
      #expect(throws: StoreError.transactionEnded) { try cursor.next() }
      #expect(throws: StoreError.transactionEnded) { try cursor.key }
    }
    let (snapshot, transaction) = (try #require(box.snapshot), try #require(box.transaction))
    let (cursor, writer) = (try #require(box.cursor), try #require(box.writer))
    let uses: [() throws -> Void] = [
      { _ = try snapshot.value(for: [1], in: table) },
      { _ = try snapshot.count(in: table) },
      { _ = try snapshot.statistics(of: table) },
      { try snapshot.scan(table) { _, _ in .continue } },
      { try snapshot.withCursor(in: table) { _ in } },
      { try transaction.put([1], for: [1], in: table) },
      { try transaction.insert([1], for: [1], in: table) },
      { try transaction.delete([1], in: table) },
      { try transaction.removeAll(in: table) },
      { try transaction.afterCommit {} },
      { try transaction.withSortedWriter(in: table) { _ in } },
      { try cursor.first() },
      { try cursor.seek(to: [1]) },
      { _ = try cursor.value },
      { try writer.put([1], for: [2]) },
      { try writer.delete([1]) },
    ]
    for use in uses { #expect(throws: StoreError.transactionEnded) { try use() } }
    #expect(try environment.read { try $0.entries(table) } == [Pair(key: [1], value: [1])])
  }

  /// What a test carries out of a closure. Unchecked: the test does one thing at a time.
  private final class Escaped: @unchecked Sendable {
    var snapshot: Snapshot?
    var transaction: WriteTransaction?
    var cursor: Cursor?
    var writer: SortedWriter?
  }

  @Test("a write inside of a write is refused, and so is a table that would have to be created there")
  func refusesNestedWrites() throws {
    let (environment, table) = (environment, table)
    try environment.write { transaction throws in
      #expect(throws: StoreError.writeInsideWrite) { try environment.write { _ in } }
      #expect(throws: StoreError.writeInsideWrite) { try environment.table("new") }
      #expect(try environment.table("t") == table)
      try environment.read { _ throws in
        _ = #expect(throws: StoreError.writeInsideWrite) { try environment.write { _ in } }
      }
      try transaction.put([1], for: [1], in: table)
    }
    #expect(try environment.read { try $0.count(in: table) } == 1)
  }

  @Test("a table of another environment is refused")
  func refusesForeignTables() throws {
    let other = try Environment.temporary()
    let foreign = try other.table("t")
    #expect(foreign != table)
    #expect(throws: StoreError.tableOfAnotherEnvironment(name: "t")) {
      try environment.read { try $0.value(for: [1], in: foreign) }
    }
    #expect(throws: StoreError.tableOfAnotherEnvironment(name: "t")) {
      try environment.write { try $0.put([1], for: [1], in: foreign) }
    }
  }

  @Test(
    "names that no table can have are refused",
    arguments: ["", "#store", "#", "a\0b", String(repeating: "n", count: 512)])
  func refusesNames(name: String) throws {
    for use in [{ _ = try environment.table(name) }, { _ = try environment.tableIfPresent(name) }] {
      #expect {
        try use()
      } throws: { error in
        if case StoreError.invalidTableName(name, _) = error { true } else { false }
      }
    }
  }

  @Test("tables are found by name, listed in order, and limited in number")
  func countsTables() throws {
    var options = Environment.Options()
    options.tablesMax = 5
    let environment = try Environment.temporary(options: options)
    let tables = try environment.tables(["b", "a", "ä", "b"])
    #expect(tables.map(\.name) == ["b", "a", "ä", "b"])
    #expect(tables[0] == tables[3])
    #expect(try environment.tableIfPresent("c") == nil)
    _ = try environment.tables(["c", "d"])
    #expect(try environment.tableNames() == ["a", "b", "c", "d", "ä"])
    #expect(throws: StoreError.tooManyTables(limit: 5)) { try environment.table("e") }
    #expect(try environment.tableNames().count == 5)
    #expect(try environment.table("d") == environment.tableIfPresent("d"))
  }

  @Test("tables are told apart by the bytes of their names, whatever strings are equal")
  func comparesNamesByBytes() throws {
    let names = ["\u{E9}", "e\u{301}", "a#", " #"]
    let tables = try environment.tables(names)
    #expect(Set(tables).count == 4)
    #expect(try environment.tableNames().count == 5)
    let reserved = "#\u{301}"
    #expect(throws: StoreError.self) { try environment.table(reserved) }
  }

  @Test("options without sense are brought within their limits", arguments: [Int.min, 0, Int.max - 1, Int.max])
  func limitsOptions(number: Int) throws {
    let map = min(number, 1 << 40)
    let options = Environment.Options(mapBytesInitial: map, tablesMax: number, readersMax: number)
    let environment = try Environment.temporary(options: options)
    try environment.read { _ in }
    if number > 0 { _ = try environment.table("t") }
  }

  @Test("a cursor without a place has no key")
  func refusesKeysOfNoPlace() throws {
    let table = table
    try environment.write { transaction throws in
      try transaction.put([1], for: [1], in: table)
      try transaction.withCursor(in: table) { cursor in
        #expect(throws: StoreError.cursorNotPositioned) { try cursor.key }
        #expect(try cursor.next())
        #expect(try cursor.key.elementsEqual([1]))
        try transaction.put([2], for: [1], in: table)
        #expect(throws: StoreError.cursorNotPositioned) { try cursor.value }
        #expect(try !cursor.next())
        #expect(throws: StoreError.cursorNotPositioned) { try cursor.value }
      }
    }
  }

  @Test("snapshots beyond the limit are refused, and there is room again when others end")
  func limitsReaders() throws {
    var options = Environment.Options()
    options.readersMax = 3
    let environment = try Environment.temporary(options: options)
    func nest(_ depth: Int) throws -> Int {
      do { return try environment.read { _ in try nest(depth + 1) } } catch StoreError.tooManyReaders(limit: 3) {
        return depth
      }
    }
    let count = try nest(0)
    #expect(count >= 3)
    #expect(try nest(0) == count)
  }
}
