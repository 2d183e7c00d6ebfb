import Foundation
import Synchronization

/// Reads of one row, each in a snapshot of its own, while another thread commits durably without a pause.
struct ReadWhileWritingCase: BenchmarkCase {
  let name = "read-while-writing"
  let summary = "how long a read takes while another thread commits durably"

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let store = try StoreRows(at: folder["store"], filledWith: rows)
    let sqliteWriter = try SQLiteRows(at: folder["sqlite"], synchronous: .full, filledWith: rows)
    let sqliteReader = try SQLiteRows(at: folder["sqlite"], synchronous: .full)
    try FileManager.default.createDirectory(atPath: folder["lmdb"], withIntermediateDirectories: true)
    let lmdb = try LMDBRows(at: folder["lmdb"], isSynced: true, filledWith: rows)
    let result = try await settings.race().run([
      reading("store", rows, write: { try store.update($0) }, read: { _ = try store.read($0) }),
      reading(
        "SQLite FULL", rows, write: { try sqliteWriter.update($0) }, read: { _ = try sqliteReader.read($0) }),
      reading("LMDB", rows, write: { try lmdb.update($0) }, read: { _ = try lmdb.read($0) }),
    ])
    return CaseReport(self, result, ratios: [Ratio("store", to: "SQLite FULL"), Ratio("store", to: "LMDB")])
  }

  /// Counts and times reads; the commits of the other thread are what they have to live with.
  private func reading(
    _ name: String, _ rows: RowSource, write: @escaping @Sendable (Row) throws -> Void,
    read: @escaping ([UInt8]) throws -> Void
  ) -> Contender {
    var updates = rows.updates(seed: 1)
    let reads = Contender.timedLoop(name, prepare: { updates.next().key }, read)
    return Contender(name: name, latencies: reads.latencies) { deadline in
      let writer = BackgroundThread { isStopped in
        var updates = rows.updates(seed: 2)
        while !isStopped() { try write(updates.next()) }
      }
      let result: Result<Int, any Error>
      do { result = .success(try await reads.work(deadline)) } catch { result = .failure(error) }
      try writer.stop()
      return try result.get()
    }
  }
}
