import Records
import Sync
import SyncEngine

/// The snapshot JSON of a store, written row by row. docs/command-line.md describes the format.
struct SnapshotDocument {
  static let formatName = "swiftsync-snapshot"
  static let version = 1

  private let catalog: Catalog
  private let reader: StoreReader
  /// The only entity whose rows are written; nil for all.
  private let entity: Entity?
  /// Which of its rows; nil for all.
  private let plan: QueryPlan?

  /// - Throws: `ObjectPredicateError` for what does not fit the entity; what planning throws.
  init(_ snapshot: RecordSnapshot, of entity: Entity? = nil, where predicate: ObjectPredicate? = nil) throws {
    catalog = snapshot.catalog
    reader = StoreReader(snapshot: snapshot)
    self.entity = entity
    plan = try predicate.flatMap { predicate in
      guard let entity else { return nil }
      // Paths of predicates can't name every attribute that may be the identity, so the order is not one of these.
      var query = try StoredQuery(snapshot.catalog).query(entity, where: predicate)
      query.order = entity.identity.map { [OrderTerm(.field($0.field))] } ?? []
      return try snapshot.plan(query)
    }
  }

  private var entities: [Entity] {
    if let entity { return [entity] }
    return catalog.entities.sorted { $0.name.isBefore($1.name) }
  }

  func write(to output: StandardOutput) throws {
    let schema = catalog.schema.withInverses().sortedByName()
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("format", SnapshotDocument.formatName)
    json.writeMember("version", SnapshotDocument.version)
    if entity != nil {
      // It has not everything that its rows lead to, so it is no whole store.
      json.writeKey("isPartial")
      json.write(true)
    }
    json.startLine()
    json.writeKey("schema")
    json.write(schema)
    json.startLine()
    json.writeKey("entities")
    json.beginArray()
    for entity in entities { try write(entity, &json, to: output) }
    json.endArray()
    json.endObject()
    json.endLine()
    try json.drain { try output.write($0) }
  }

  /// The same rows, one object a line that says by itself what it is.
  func writeLines(to output: StandardOutput) throws {
    for entity in entities {
      try forEachRow(of: entity) { row in
        var json = JSONWriter()
        json.beginObject()
        json.writeMember("$entity", entity.name)
        if case .row(let number) = row.reference { json.writeRowNumber(number) }
        try json.writeMembers(of: row)
        json.endObject()
        json.endLine()
        try json.drain { try output.write($0) }
      }
    }
  }

  private func write(_ entity: Entity, _ json: inout JSONWriter, to output: StandardOutput) throws {
    json.startLine()
    json.beginObject()
    json.writeMember("name", entity.name)
    json.writeKey("rows")
    json.beginArray()
    try forEachRow(of: entity) { row in
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

  private func forEachRow(of entity: Entity, _ body: (Row) throws -> Void) throws {
    let properties = entity.properties.sorted { $0.name.isBefore($1.name) }
    if let plan { return try reader.forEachRow(of: plan, properties: properties, body) }
    try reader.forEachRow(of: entity, properties: properties, order: .identity, body)
  }
}
