import CLMDB
import TestSupport
import Testing

@testable import KeyValueStore

/// Touching a page that the data file does not have ends the process, so a file that was cut off must be noticed before.
@Suite("Data files that were cut off")
struct TruncatedDataTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder["store"]
  }

  @Test("wherever the file is cut, opening either throws or finds everything", arguments: 1...3 as ClosedRange<UInt64>)
  func noticesCuts(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let environment = try Environment(at: path)
    let tables = try environment.tables(["a", "b"])
    for _ in 0..<4 {
      let pairs = (0..<150).map { _ in
        Pair(
          key: random.bytes(.random(in: 1...600, using: &random)),
          value: random.bytes([5, 300, 9000].randomElement(using: &random) ?? 1))
      }
      try environment.write { transaction in
        for (number, pair) in pairs.enumerated() {
          try transaction.put(pair.value, for: pair.key, in: tables[number % 2])
        }
      }
    }
    let expected = try environment.read { snapshot in try tables.map { try snapshot.entries($0) } }
    environment.close()
    let data = try TemporaryFolder.read(path + "/data.mdb")
    var refusals = 0
    for byteCount in stride(from: 0, to: data.count, by: Int.random(in: 20_000...24_000, using: &random)) {
      try TemporaryFolder.write(Array(data.prefix(byteCount)), to: path + "/data.mdb")
      for access in [Environment.Access.readOnly, .readWrite] {
        do {
          let cut = try Environment(at: path, options: .init(access: access))
          defer { cut.close() }
          let tables = try cut.tables(["a", "b"])
          #expect(try cut.read { snapshot in try tables.map { try snapshot.entries($0) } } == expected)
        } catch StoreError.damaged(path, _) {
          refusals += 1
        }
      }
    }
    #expect(refusals > data.count / 24_000)
    try TemporaryFolder.write(data, to: path + "/data.mdb")
    let whole = try Environment(at: path)
    #expect(try whole.read { snapshot in try whole.tables(["a", "b"]).map { try snapshot.entries($0) } } == expected)
  }

  @Test("a sound file that ends before its last page opens, and is made as long as it says")
  func acceptsShortFiles() throws {
    try makeShortFile()
    for access in [Environment.Access.readOnly, .readWrite] {
      #expect(try missingByteCount() > 0)
      let environment = try Environment(at: path, options: .init(access: access))
      let table = try environment.table("t")
      #expect(try environment.read { try $0.count(in: table) } == 51)
      environment.close()
      #expect(try (missingByteCount() == 0) == (access == .readWrite))
    }
  }

  @Test("a store is as long as it says once it is closed")
  func closesWithWholeFile() throws {
    try makeFreePages()
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    // Too much for the log: it happens in LMDB's transaction itself, which is the only kind that does this.
    try environment.write { transaction in
      try transaction.put([UInt8](repeating: 2, count: 5 << 20), for: [1], in: table)
      try transaction.delete([1], in: table)
    }
    #expect(environment.metrics.bulkTransactions == 1)
    #expect(try missingByteCount() > 0)
    environment.close()
    #expect(try missingByteCount() == 0)
  }

  @Test("one page less is noticed there too", arguments: [1, 2, 20])
  func noticesCutsOfShortFiles(pageCount: Int) throws {
    try makeShortFile()
    let data = try TemporaryFolder.read(path + "/data.mdb")
    try TemporaryFolder.write(Array(data.dropLast(pageCount * 4096)), to: path + "/data.mdb")
    #expect(throws: StoreError.damaged(path: path, reason: "its data.mdb has been cut off")) {
      try Environment(at: path, options: .init(access: .readOnly))
    }
  }

  @Test("pages whose bytes make no sense are noticed when the tree has to be walked", arguments: [0, 8, 10, 13])
  func noticesNonsense(offset: Int) throws {
    try makeShortFile()
    var data = try TemporaryFolder.read(path + "/data.mdb")
    let page = data.count / 4096 - 2
    data[page * 4096 + offset] ^= 0x0F
    try TemporaryFolder.write(data, to: path + "/data.mdb")
    do {
      let environment = try Environment(at: path, options: .init(access: .readOnly))
      environment.close()
      // The second byte of the header's padding means nothing.
      #expect(offset == 8)
    } catch StoreError.damaged {}
  }

  /// With free pages from before, LMDB takes what a transaction gives back for its own. What an opening frees is free after
  /// it, because its checkpoint is kept.
  private func makeFreePages() throws {
    for number in 0..<5 {
      let environment = try Environment(at: path)
      let table = try environment.table("t")
      try environment.write { try $0.put([UInt8](repeating: 2, count: 3000), for: [UInt8](number: number), in: table) }
      environment.close()
    }
  }

  /// A transaction that takes pages at the end of the file and gives them back before its commit never writes them.
  private func makeShortFile() throws {
    try makeFreePages()
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    try environment.write { transaction in
      for number in 0..<50 {
        try transaction.put([UInt8](repeating: 1, count: 2000), for: [UInt8](number: number), in: table)
      }
      try transaction.put([UInt8](repeating: 1, count: 20_000), for: [UInt8](number: 50), in: table)
    }
    environment.close()
    try StoreSurgery.edit(path) { store in
      try store.set([UInt8](repeating: 2, count: 100_000), for: [1], in: "t")
      try store.set(nil, for: [1], in: "t")
    }
  }

  /// How much shorter the data file is than its newest meta page says.
  private func missingByteCount() throws -> Int {
    let data = try TemporaryFolder.read(path + "/data.mdb")
    let metas = try [0, 4096].map { try MetaPage(Array(data[$0..<($0 + MetaPage.byteCount)])) }
    let lastPage = metas.max { $0.transaction < $1.transaction }?.lastPage ?? 0
    return max(0, (Int(lastPage) + 1) * 4096 - data.count)
  }
}
