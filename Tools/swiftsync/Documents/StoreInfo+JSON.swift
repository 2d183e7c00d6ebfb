import Records
import SyncEngine

extension StoreInfo {
  func writeJSON(to output: StandardOutput) throws {
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("path", path)
    json.writeMember("identifier", identifier)
    json.writeKey("formats")
    json.beginObject()
    json.writeMember("store", storeFormat)
    json.writeMember("records", recordFormat)
    json.endObject()
    json.writeKey("files")
    json.beginArray()
    for file in files {
      json.beginObject()
      json.writeMember("name", file.name)
      json.writeMember("bytes", file.byteCount)
      json.endObject()
    }
    json.endArray()
    json.writeMember("pageBytes", pages.pageBytes)
    json.writeMember("pagesUsed", pages.pagesUsed)
    json.writeMember("mapBytes", pages.mapBytes)
    json.startLine()
    json.writeKey("entities")
    json.beginArray()
    for entity in entities { write(entity, &json) }
    json.endArray()
    json.startLine()
    json.writeKey("schema")
    json.write(schema)
    json.endObject()
    json.endLine()
    try json.drain { try output.write($0) }
  }

  func write(_ entity: EntityInfo, _ json: inout JSONWriter) {
    json.startLine()
    json.beginObject()
    json.writeMember("name", entity.entity.name)
    json.writeMember("rows", entity.rowCount)
    json.writeMember("bytes", entity.byteCount)
    if let unanswered = entity.unanswered {
      json.writeMember("unanswered", unanswered.rowCount)
      json.writeMember("parked", unanswered.parkedCount)
    }
    json.writeKey("indexes")
    json.beginArray()
    for (index, numbers) in zip(entity.entity.indexes, entity.indexes) {
      json.beginObject()
      json.writeKey("attributes")
      json.beginArray()
      for attribute in index.attributes { json.writeString(attribute.name) }
      json.endArray()
      json.writeKey("unique")
      json.write(index.isUnique)
      write(numbers, &json)
      json.endObject()
    }
    json.endArray()
    json.writeKey("links")
    json.beginArray()
    for link in entity.links {
      json.beginObject()
      json.writeMember("name", link.name)
      write(link, &json)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private func write(_ table: Table, _ json: inout JSONWriter) {
    json.writeMember("entries", table.entryCount)
    json.writeMember("bytes", table.byteCount)
  }
}
