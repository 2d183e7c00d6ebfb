import CLMDB
import TestSupport
import Testing

@testable import KeyValueStore

/// A check that cries wolf is worth nothing, and LMDB leaves its pages in states that one would not think of.
@Suite("Sound data files have no problems")
struct SoundPagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("whatever transactions have done, nested ones among them", arguments: 1...6 as ClosedRange<UInt64>)
  func randomTransactions(seed: UInt64) throws {
    let engine = try Engine(
      opening: folder.path, flags: MDB_NOSYNC, mapBytes: 1 << 30, path: folder.path, options: .init())
    defer { engine.close() }
    var walk = RawWalk(engine, seed: seed)
    for step in 0..<40 {
      // An old snapshot keeps pages from being used again.
      if step % 10 < 7 {
        try walk.step()
      } else {
        try engine.read { (_) throws(StoreError) in
          do { for _ in 0..<5 { try walk.step() } } catch { throw error as? StoreError ?? .emptyKey }
        }
      }
      let report = try PageCheck.report(newestIn: folder.path)
      #expect(report.problems.problems == [])
      #expect(report.entries == (try engine.entryCounts()))
    }
  }
}

extension Engine {
  /// How many entries each table has, by LMDB's own count.
  fileprivate func entryCounts() throws(StoreError) -> [String: UInt64] {
    try read { (transaction) throws(StoreError) in
      var counts: [String: UInt64] = [:]
      for name in try tableNames(transaction, root: try openRoot(transaction)) {
        guard let table = try openTable(name, transaction) else { continue }
        var numbers = MDB_stat()
        try check(mdb_stat(transaction, table, &numbers), "Counting")
        counts[name] = UInt64(numbers.ms_entries)
      }
      return counts
    }
  }
}
