import FoundationEssentials
import Records
import SyncEngine

/// What transactions have done to rows, in the forms of `swiftsync history` and `watch`.
struct ChangeDocument {
  /// How many rows of a kind a text names.
  private static let rowsMax = 8

  private let format: RowFormat
  private let output: StandardOutput
  private let catalog: Catalog
  /// The entity of interest; nil for all.
  private let entity: EntityID?
  private var json = JSONWriter()

  init(_ format: RowFormat, of entity: Entity?, in catalog: Catalog, to output: StandardOutput) {
    self.format = format
    self.entity = entity?.id
    self.catalog = catalog
    self.output = output
    if format == .json { json.beginArray() }
  }

  /// Whether a transaction has done anything that is of interest.
  func isOfInterest(_ changes: ChangeSet) -> Bool {
    entity.map { changes.entities[$0]?.isEmpty == false } ?? true
  }

  /// Writes a transaction. The writer is the program that made it, where that is known.
  mutating func write(_ changes: ChangeSet, writer: String? = nil) throws {
    if format == .text { try writeText(changes, writer) } else { try writeJSON(changes, writer) }
  }

  mutating func finish() throws {
    guard format == .json else { return }
    json.endArray()
    json.endLine()
    try json.drain { try output.write($0) }
  }

  private func parts(_ changes: ChangeSet) -> [(entity: Entity, changes: ChangeSet.EntityChanges)] {
    catalog.entities.compactMap { entity in
      guard self.entity == nil || self.entity == entity.id, let part = changes.entities[entity.id], !part.isEmpty
      else { return nil }
      return (entity, part)
    }
  }

  // MARK: Text

  private func writeText(_ changes: ChangeSet, _ writer: String?) throws {
    var words = [changes.token.map { "Transaction \($0.rawValue)" } ?? "A transaction"]
    if let time = changes.timestamp { words.append(DateFormat.text(of: time.timeIntervalSinceReferenceDate)) }
    if let author = changes.author { words.append("by \(author)") }
    if let writer { words.append("in \(writer)") }
    try output.writeLine(words.joined(separator: "  "))
    for (entity, changes) in parts(changes) {
      if !changes.inserted.isEmpty { try output.writeLine("  \(entity.name) inserted: \(list(changes.inserted))") }
      for row in changes.updated.keys.sorted().prefix(Self.rowsMax) {
        let names = changes.updated[row].map { entity.names(of: $0) } ?? []
        try output.writeLine("  \(entity.name) updated: row \(row.rawValue) (\(names.joined(separator: ", ")))")
      }
      if changes.updated.count > Self.rowsMax {
        try output.writeLine("  \(entity.name) updated: \(changes.updated.count - Self.rowsMax) more rows")
      }
      if !changes.deleted.isEmpty { try output.writeLine("  \(entity.name) deleted: \(list(changes.deleted))") }
    }
  }

  private func list(_ rows: [RowNumber]) -> String {
    let shown = rows.prefix(Self.rowsMax).map { "\($0.rawValue)" }.joined(separator: ", ")
    let rest = rows.count - Self.rowsMax
    return "row\(rows.count == 1 ? "" : "s") \(shown)" + (rest > 0 ? " and \(rest) more" : "")
  }

  // MARK: JSON

  private mutating func writeJSON(_ changes: ChangeSet, _ writer: String?) throws {
    if format == .json { json.startLine() }
    json.beginObject()
    if let token = changes.token { json.writeMember("transaction", token.rawValue) }
    json.writeMember("time", changes.timestamp.map { DateFormat.text(of: $0.timeIntervalSinceReferenceDate) })
    json.writeMember("author", changes.author)
    json.writeMember("writer", writer)
    json.writeKey("entities")
    json.beginArray()
    for (entity, changes) in parts(changes) { try write(changes, of: entity) }
    json.endArray()
    json.endObject()
    if format == .ndjson { json.endLine() }
    try json.drain { try output.write($0) }
  }

  private mutating func write(_ changes: ChangeSet.EntityChanges, of entity: Entity) throws {
    json.beginObject()
    json.writeMember("name", entity.name)
    json.writeKey("inserted")
    json.beginArray()
    for row in changes.inserted { json.write(row.rawValue) }
    json.endArray()
    json.writeKey("updated")
    json.beginArray()
    for row in changes.updated.keys.sorted() {
      json.beginObject()
      json.writeRowNumber(row)
      json.writeKey("properties")
      json.beginArray()
      for name in changes.updated[row].map({ entity.names(of: $0) }) ?? [] { json.writeString(name) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.writeKey("deleted")
    json.beginArray()
    for (position, row) in changes.deleted.enumerated() {
      json.beginObject()
      json.writeRowNumber(row)
      for attribute in entity.attributes {
        guard let value = changes.tombstones.value(of: attribute.propertyIndex, at: position) else { continue }
        json.writeKey(attribute.name)
        try json.write(value)
      }
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}

extension Entity {
  /// The names of properties, in the order of their declaration.
  fileprivate func names(of set: PropertySet) -> [String] {
    attributes.filter { set.contains($0.propertyIndex) }.map(\.name)
      + relationships.filter { set.contains($0.propertyIndex) }.map(\.name)
  }
}
