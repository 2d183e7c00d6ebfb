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
      try forEachRow(of: entity) { row in
        try output.writeLine("\(entity.name) row \(row.number.rawValue)")
        var table = TextTable(indentation: 2)
        try row.forEachProperty { table.add([$0.name, try ValueText.text($1)]) }
        for line in table.lines { try output.writeLine(line) }
      }
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
        json.beginObject()
        json.writeRowNumber(row.number)
        try json.writeMembers(of: row)
        json.endObject()
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
      try forEachRow(of: entity) { row in
        var json = JSONWriter()
        json.beginObject()
        json.writeMember("$entity", entity.name)
        json.writeRowNumber(row.number)
        try json.writeMembers(of: row)
        json.endObject()
        json.endLine()
        try json.drain { try output.write($0) }
      }
    }
  }

  private func forEachRow(of entity: Entity, _ body: (Row) throws -> Void) throws {
    try reader.forEachRow(of: entity, properties: entity.properties, order: .number, limit: limit, body)
  }
}
