import Records
import SyncEngine

/// The rows of some entities in the three forms of `swiftsync dump`.
struct Dump {
  let reader: StoreReader
  let entities: [Entity]
  let limit: Int?

  /// A paragraph for each row.
  func writeText(to output: StandardOutput) throws {
    for entity in entities {
      try forEachRow(of: entity) { try $0.writeText(to: output) }
    }
  }

  /// One document: the entities, each with its rows.
  func writeJSON(to output: StandardOutput) throws {
    var json = JSONWriter()
    json.beginObject()
    json.writeKey("entities")
    json.beginArray()
    for entity in entities {
      json.startLine()
      json.beginObject()
      json.writeMember("name", entity.name)
      json.writeKey("rows")
      json.beginArray()
      try forEachRow(of: entity) { row in
        json.startLine()
        try json.write(row)
        try json.drain { try output.write($0) }
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
    try json.drain { try output.write($0) }
  }

  /// One object a line, which says by itself what it is.
  func writeLines(to output: StandardOutput) throws {
    for entity in entities {
      try forEachRow(of: entity) { try $0.writeLine(to: output) }
    }
  }

  private func forEachRow(of entity: Entity, _ body: (Row) throws -> Void) throws {
    try reader.forEachRow(of: entity, properties: entity.properties, order: .number, limit: limit, body)
  }
}
