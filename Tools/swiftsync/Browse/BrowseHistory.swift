import FoundationEssentials
import Records
import SyncEngine

/// The newest transactions of the history, or those before one, the newest first.
struct BrowseHistory {
  private static let limitDefault: UInt64 = 50
  /// How many rows of a kind are named.
  private static let rowsMax = 20

  private let snapshot: RecordSnapshot
  private let before: UInt64?

  init(_ arguments: BrowseArguments, _ snapshot: RecordSnapshot) throws {
    self.snapshot = snapshot
    before = try arguments.number("before").map { UInt64($0) }
  }

  func json() throws -> JSONWriter {
    let last = try snapshot.lastHistoryToken().rawValue
    let oldest = try snapshot.oldestHistoryToken().rawValue
    let end = min(before.map { $0 - min($0, 1) } ?? last, last)
    // Tokens are dense, so the transactions in front of one need not be looked for.
    let start = max(oldest, end - min(end, Self.limitDefault))
    var transactions: [HistoryTransaction] = []
    if try snapshot.isHistoryKept(), start < end {
      try snapshot.forEachTransaction(
        after: HistoryToken(rawValue: start), through: HistoryToken(rawValue: end)
      ) { transaction in
        transactions.append(transaction)
        return .continue
      }
    }
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("last", last)
    json.writeMember("oldest", oldest)
    json.writeMember("next", start)
    json.writeKey("transactions")
    json.beginArray()
    for transaction in transactions.reversed() { write(transaction, to: &json) }
    json.endArray()
    json.endObject()
    return json
  }

  private func write(_ transaction: HistoryTransaction, to json: inout JSONWriter) {
    json.beginObject()
    json.writeMember("transaction", transaction.token.rawValue)
    json.writeMember("time", DateFormat.text(of: transaction.timestamp.timeIntervalSinceReferenceDate))
    json.writeMember("author", transaction.author)
    json.writeMember("writer", transaction.writer)
    json.writeKey("entities")
    json.beginArray()
    let changes = transaction.changes(snapshot.catalog)
    for entity in snapshot.catalog.entities {
      guard let part = changes.entities[entity.id], !part.isEmpty else { continue }
      json.beginObject()
      json.writeMember("name", entity.name)
      write("inserted", part.inserted, to: &json)
      write("updated", part.updated.keys.sorted(), to: &json)
      write("deleted", part.deleted, to: &json)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private func write(_ kind: String, _ rows: [RowNumber], to json: inout JSONWriter) {
    json.writeKey(kind)
    json.beginObject()
    json.writeMember("count", rows.count)
    json.writeKey("rows")
    json.beginArray()
    for row in rows.prefix(Self.rowsMax) { json.write(row.rawValue) }
    json.endArray()
    json.endObject()
  }
}
