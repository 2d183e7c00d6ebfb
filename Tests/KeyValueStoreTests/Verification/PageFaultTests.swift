import CLMDB
import TestSupport
import Testing

@testable import KeyValueStore

/// What is said about a damaged page is what has happened to it.
@Suite("Problems of pages")
struct PageFaultTests {
  private let folder: TemporaryFolder
  private let store: SmallStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SmallStore(in: folder.path)
  }

  /// A change of bytes, and what it has to be called.
  private struct Case: Sendable {
    var name: String
    var edit: @Sendable (inout [UInt8], SmallStore) -> Void
    var problem: @Sendable (SmallStore) -> StoreProblem
  }

  private static let table = StoreTree.table("a")

  private static let cases = [
    Case(name: "a page with another number") { data, store in
      data[at: store.leaf, 0] = 99
    } problem: {
      .page($0.leaf, of: table, .number(found: 99))
    },
    Case(name: "a branch where a leaf should be") { data, store in
      data[at: store.leaf, 10] = 1
    } problem: {
      .page($0.leaf, of: table, .kind(found: 1, expected: 2))
    },
    Case(name: "free space outside of the page") { data, store in
      data[at: store.leaf, 15] = 0xFF
    } problem: {
      .page($0.leaf, of: table, .bounds(lower: $0.lower, upper: $0.upper | 0xFF00))
    },
    Case(name: "two slots for one entry") { data, store in
      data[at: store.leaf, 16] = data[at: store.leaf, 18]
      data[at: store.leaf, 17] = data[at: store.leaf, 19]
    } problem: {
      .page($0.leaf, of: table, .layout)
    },
    Case(name: "two entries out of order") { data, store in
      for byte in 16..<18 {
        (data[at: store.leaf, byte], data[at: store.leaf, byte + 2]) =
          (data[at: store.leaf, byte + 2], data[at: store.leaf, byte])
      }
    } problem: {
      .page($0.leaf, of: table, .order(slot: 1))
    },
    Case(name: "a key before what the branch says") { data, store in
      data[at: store.secondLeaf, store.firstKey + 7] = 0
    } problem: {
      .page($0.secondLeaf, of: table, .outsideOfBranch(slot: 0))
    },
    Case(name: "a page in two places") { data, store in
      data[at: store.branch, store.secondChild] = UInt8(store.leaf)
    } problem: {
      .page($0.leaf, of: table, .usedTwice)
    },
    Case(name: "a page that there is not") { data, store in
      data[at: store.branch, store.secondChild + 3] = 1
    } problem: {
      .page(1 << 24 | $0.secondLeaf, of: table, .outOfRange(lastPage: $0.lastPage))
    },
    Case(name: "a value with too few pages") { data, store in
      data[at: store.overflow, 12] = 1
    } problem: {
      .page($0.overflow, of: .table("b"), .overflowTooShort(pages: 1, valueBytes: 9000))
    },
    Case(name: "a wrong count of entries") { data, store in
      data[at: store.root, store.tableRecord + 32] += 1
    } problem: { _ in
      .count(.entries, of: table, recorded: 101, found: 100)
    },
    Case(name: "a table without a possible depth") { data, store in
      data[at: store.root, store.tableRecord + 6] = 40
    } problem: { _ in
      .treeRecord(of: table)
    },
    Case(name: "an entry of a kind that there is not") { data, store in
      data[at: store.leaf, store.firstKey - 4] = 4
    } problem: {
      .page($0.leaf, of: table, .entryFlags(slot: 0, flags: 4))
    },
  ]

  @Test("every damage by its name", arguments: cases.indices)
  func namesDamage(index: Int) throws {
    let test = Self.cases[index]
    var data = store.data
    test.edit(&data, store)
    try TemporaryFolder.write(data, to: folder["data.mdb"])
    let problems = try PageCheck.report(newestIn: folder.path).problems.problems
    #expect(problems.first == test.problem(store), "\(test.name)")
  }

  @Test("a long key that is not the one it is stored under", arguments: [1000, 60_000])
  func longKeys(byteCount: Int) throws {
    let path = folder["store"]
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    let key = [UInt8](repeating: 9, count: byteCount)
    try environment.write { try $0.put([1], for: key, in: table) }
    environment.close()
    #expect(try PageCheck.report(newestIn: path).problems.isEmpty)
    var data = try TemporaryFolder.read(path + "/data.mdb")
    // The end of the key, wherever it was written.
    for place in data.indices.dropFirst(600) where data[place - 1] == 9 && data[place - 600] == 9 && data[place] == 1 {
      data[place - 1] = 8
    }
    try TemporaryFolder.write(data, to: path + "/data.mdb")
    let problems = try PageCheck.report(newestIn: path).problems.problems
    #expect(problems.count == 1)
    guard case .page(_, .table("t"), .longKey(slot: 0)) = problems.first else {
      Issue.record("\(problems)")
      return
    }
  }

  @Test("more problems than anybody reads are counted")
  func limitsProblems() throws {
    var list = ProblemList()
    for number in 0..<1500 { list.append(.lostPages(first: UInt64(number), count: 1)) }
    #expect(list.problems.count == 1000 && list.countBeyond == 500)
  }
}

/// A data file with a table "a" of a branch and some leaves, and a table "b" with one large value.
private struct SmallStore: Sendable {
  let data: [UInt8]
  let lastPage: UInt64
  /// Pages by number, and places within them.
  let root: UInt64
  let tableRecord: Int
  let branch: UInt64
  let secondChild: Int
  let leaf: UInt64
  let secondLeaf: UInt64
  let firstKey: Int
  let overflow: UInt64

  init(in folder: String) throws {
    let engine = try Engine(opening: folder, flags: MDB_NOSYNC, mapBytes: 1 << 24, path: folder, options: .init())
    defer { engine.close() }
    var transaction: OpaquePointer?
    try engine.check(mdb_txn_begin(engine.handle, nil, 0, &transaction), "Beginning")
    for (name, count, valueByteCount) in [("a", 100, 100), ("b", 1, 9000)] {
      var table: MDB_dbi = 0
      try engine.check(mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &table), "Creating")
      for number in 1...count {
        let code = [UInt8](number: number).withUnsafeBytes { key in
          [UInt8](repeating: 7, count: valueByteCount).withUnsafeBytes { value in
            var (key, value) = (MDB_val(key), MDB_val(value))
            return mdb_put(transaction, table, &key, &value, 0)
          }
        }
        try engine.check(code, "Writing")
      }
    }
    try engine.check(mdb_txn_commit(transaction), "Committing")
    data = try TemporaryFolder.read(folder + "/data.mdb")
    // The first transaction is the one of page 1.
    let meta = try SnapshotMeta(Array(data[4096..<(4096 + MetaPage.byteCount)]))
    lastPage = meta.lastPage
    root = meta.tables.root
    // Names of one byte, so that the records lie behind 8 and 1 bytes; that of "a" was written first.
    tableRecord = data.number(at: root, 16) + 9
    branch = UInt64(data.number(at: root, tableRecord + 40))
    leaf = UInt64(data.number(at: branch, data.number(at: branch, 16)))
    secondChild = data.number(at: branch, 18)
    secondLeaf = UInt64(data.number(at: branch, secondChild))
    firstKey = data.number(at: secondLeaf, 16) + 8
    let otherRecord = data.number(at: root, 18) + 9
    let otherLeaf = UInt64(data.number(at: root, otherRecord + 40))
    overflow = UInt64(data.number(at: otherLeaf, data.number(at: otherLeaf, 16) + 16))
  }

  var lower: Int { data.number(at: leaf, 12) }
  var upper: Int { data.number(at: leaf, 14) }
}

extension [UInt8] {
  /// A byte of a page.
  fileprivate subscript(at page: UInt64, offset: Int) -> UInt8 {
    get { self[Int(page) * 4096 + offset] }
    set { self[Int(page) * 4096 + offset] = newValue }
  }

  /// A number of two bytes in a page.
  fileprivate func number(at page: UInt64, _ offset: Int) -> Int {
    Int(number(at: Int(page) * 4096 + offset, as: UInt16.self))
  }
}
