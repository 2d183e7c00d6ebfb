import FoundationEssentials
import KeyValueStore
import Records
import SyncEngine

/// The numbers of a store that are kept, so that they can be asked for again and again.
struct BrowseStatistics {
  private let store: RecordStore
  private let snapshot: RecordSnapshot

  init(_ store: RecordStore, _ snapshot: RecordSnapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  func json() throws -> JSONWriter {
    let info = try StoreInfo(store: store, snapshot: snapshot)
    let readers = try store.environment.readers().filter { $0.process != ProcessInfo.processInfo.processIdentifier }
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("identifier", info.identifier)
    json.writeMember("storeFormat", info.storeFormat)
    json.writeMember("recordFormat", info.recordFormat)
    json.writeMember("pageBytes", info.pages.pageBytes)
    json.writeMember("pagesUsed", info.pages.pagesUsed)
    json.writeMember("mapBytes", info.pages.mapBytes)
    json.writeMember("readers", readers.count)
    json.writeKey("files")
    json.beginArray()
    for file in info.files {
      json.beginObject()
      json.writeMember("name", file.name)
      json.writeMember("bytes", file.byteCount)
      json.endObject()
    }
    json.endArray()
    json.writeKey("entities")
    json.beginArray()
    for entity in info.entities { info.write(entity, &json) }
    json.endArray()
    json.endObject()
    return json
  }
}
