import FoundationEssentials
import Records
import SyncEngine

/// How the page gets values: as text, because the numbers of a browser have fewer digits than those of a store. Null is null.
struct BrowseValues {
  /// Of a long text a table shows the beginning; the page of a row shows more.
  static let cellCharactersMax = 240
  static let detailCharactersMax = 64 << 10
  /// How many members of a relationship are named in a cell.
  static let membersMax = 3

  let snapshot: RecordSnapshot
  let charactersMax: Int

  /// Writes an attribute's value.
  func write(_ value: FieldValue, to json: inout JSONWriter) throws {
    if case .null = value { return json.writeNull() }
    json.writeString(shortened(try text(value)))
  }

  /// Writes a row that something leads to, with the identity that people know it by.
  func write(_ row: RowNumber, of entity: Entity, to json: inout JSONWriter) throws {
    json.beginObject()
    json.writeMember("row", row.rawValue)
    json.writeMember("label", shortened(try label(of: row, entity)))
    json.endObject()
  }

  /// What a row is called: its identity, or its number.
  func label(of row: RowNumber, _ entity: Entity) throws -> String {
    guard let identity = entity.identity,
      let value = try snapshot.withRecord(row, of: entity, { $0.value(identity.field) })
    else { return "row \(row.rawValue)" }
    if case .null = value { return "row \(row.rawValue)" }
    return try text(value)
  }

  /// Writes what a relationship of a row leads to: a row, or the number of rows and the first of them.
  func write(_ relationship: Relationship, of row: RowNumber, _ record: RecordView, to json: inout JSONWriter) throws {
    guard let destination = snapshot.catalog[relationship.destination] else { return json.writeNull() }
    if let field = relationship.field {
      guard let end = record.row(field) else { return json.writeNull() }
      return try write(end, of: destination, to: &json)
    }
    let members = try snapshot.members(of: relationship, owner: row)
    json.beginObject()
    json.writeMember("count", members.count)
    json.writeKey("rows")
    json.beginArray()
    for member in members.prefix(Self.membersMax) { try write(member, of: destination, to: &json) }
    json.endArray()
    json.endObject()
  }

  func text(_ value: FieldValue) throws -> String {
    switch value {
    case .string(let text), .url(let text): return text
    default:
      // A composite value may be stored well and be no JSON.
      return (try? ValueText.text(.attribute(value))) ?? "unreadable"
    }
  }

  private func shortened(_ text: String) -> String {
    text.utf8.count > charactersMax && text.count > charactersMax ? "\(text.prefix(charactersMax))…" : text
  }
}
