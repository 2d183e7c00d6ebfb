import Records
import Sync
import SyncEngine

/// A page of a table: the rows of an entity that a predicate is true of, sorted.
struct BrowseRows {
  private static let limitDefault = 50
  private static let limitMax = 500

  private let snapshot: RecordSnapshot
  private let query: RecordQuery

  /// - Throws: `ObjectPredicateError` for a predicate or a sort that makes no sense.
  init(_ arguments: BrowseArguments, _ snapshot: RecordSnapshot) throws {
    self.snapshot = snapshot
    let predicate = try arguments.text("where").map { try ObjectPredicate(format: $0) }
    let sorts = (arguments.text("sort")?.split(separator: ",") ?? []).map { word in
      word.hasPrefix("-") ? ObjectSort(String(word.dropFirst()), ascending: false) : ObjectSort(String(word))
    }
    query = try StoredQuery(snapshot.catalog).query(
      arguments.entity(in: snapshot.catalog), where: predicate, order: sorts,
      offset: arguments.number("offset") ?? 0,
      limit: arguments.number("limit", upTo: Self.limitMax) ?? Self.limitDefault)
  }

  func json() throws -> JSONWriter {
    var all = query
    all.offset = 0
    all.limit = nil
    let values = BrowseValues(snapshot: snapshot, charactersMax: BrowseValues.cellCharactersMax)
    let plan = try snapshot.plan(query)
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("count", try snapshot.count(all))
    json.writeMember("offset", query.offset)
    json.writeMember("plan", plan.description)
    json.writeKey("rows")
    json.beginArray()
    let entity = query.entity
    try snapshot.run(plan) { row, record in
      try Interruption.check()
      json.beginObject()
      json.writeMember("row", row.rawValue)
      json.writeKey("values")
      json.beginArray()
      for attribute in entity.attributes {
        try values.write(snapshot.value(attribute.field, of: record, row: row, entity), to: &json)
      }
      for relationship in entity.relationships {
        try values.write(relationship, of: row, record, to: &json)
      }
      json.endArray()
      json.endObject()
      return .continue
    }
    json.endArray()
    json.endObject()
    return json
  }
}
