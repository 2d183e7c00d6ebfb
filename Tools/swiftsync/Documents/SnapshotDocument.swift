import Records
import SyncEngine

/// The snapshot JSON of a store, written row by row. docs/command-line.md describes the format.
struct SnapshotDocument {
  static let formatName = "swiftsync-snapshot"
  static let version = 1

  private let catalog: Catalog
  private let reader: StoreReader

  init(_ snapshot: RecordSnapshot) {
    catalog = snapshot.catalog
    reader = StoreReader(snapshot: snapshot)
  }

  func write(to output: StandardOutput) throws {
    let schema = catalog.schema.withInverses().sortedByName()
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("format", SnapshotDocument.formatName)
    json.writeMember("version", SnapshotDocument.version)
    json.startLine()
    json.writeKey("schema")
    json.write(schema)
    json.startLine()
    json.writeKey("entities")
    json.beginArray()
    for description in schema.entities {
      if let entity = catalog.entity(named: description.name) { try write(entity, &json, to: output) }
    }
    json.endArray()
    json.endObject()
    json.endLine()
    try json.drain { try output.write($0) }
  }

  private func write(_ entity: Entity, _ json: inout JSONWriter, to output: StandardOutput) throws {
    let properties = entity.properties.sorted { $0.name.isBefore($1.name) }
    json.startLine()
    json.beginObject()
    json.writeMember("name", entity.name)
    json.writeKey("rows")
    json.beginArray()
    try reader.forEachRow(of: entity, properties: properties, order: .identity) { row in
      json.startLine()
      json.beginObject()
      if case .row(let number) = row.reference { json.writeRowNumber(number) }
      try json.writeMembers(of: row)
      json.endObject()
      try json.drain { try output.write($0) }
    }
    json.endArray()
    json.endObject()
  }
}
