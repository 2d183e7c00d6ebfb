/// Durable one-row updates through records, beside the same on the store alone: what the model's layer adds.
struct RecordsCommitCase: BenchmarkCase {
  let name = "records-commit"
  let summary = "durable one-row updates of records, beside plain ones"

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let rows = settings.rows
    let records = try RecordRows(at: folder["records"], filledWith: rows)
    let store = try StoreRows(at: folder["store"], filledWith: rows)
    let sqlite = try SQLiteRows(at: folder["sqlite"], synchronous: .full, filledWith: rows)
    var updates = rows.updates(seed: 0)
    let result = try await settings.race().run([
      .loop("records") { try records.update(updates.next()) },
      .loop("store", of: store) { try store.update(updates.next()) },
      .loop("SQLite FULL") { try sqlite.update(updates.next()) },
    ])
    return CaseReport(self, result, ratios: [Ratio("records", to: "store"), Ratio("records", to: "SQLite FULL")])
  }
}
