import Records
import SyncEngine

/// What the page needs to know of a store before anything else: its entities with their properties.
struct BrowseOverview {
  private let browsing: Browsing
  private let snapshot: RecordSnapshot

  private let version: Int

  init(_ browsing: Browsing, _ snapshot: RecordSnapshot, version: Int) {
    self.version = version
    self.browsing = browsing
    self.snapshot = snapshot
  }

  func json() throws -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("path", browsing.store.environment.directory)
    json.writeMember("identifier", browsing.store.identifier.description)
    json.writeKey("writable")
    json.write(browsing.isWriting)
    json.writeMember("version", version)
    json.writeKey("entities")
    json.beginArray()
    for entity in snapshot.catalog.entities {
      json.beginObject()
      json.writeMember("name", entity.name)
      json.writeMember("rows", try snapshot.count(of: entity))
      json.endObject()
    }
    json.endArray()
    json.writeKey("schema")
    json.write(snapshot.catalog.schema.withInverses())
    json.endObject()
    return json
  }
}
