import Records
import SyncEngine

extension JSONWriter {
  /// A schema. docs/command-line.md describes the form; members that say nothing (false, nil, an empty list) are left out.
  mutating func write(_ schema: StoreSchema) {
    beginArray()
    for entity in schema.entities { write(entity) }
    endArray()
  }

  private mutating func write(_ entity: EntityDescription) {
    beginObject()
    writeMember("name", entity.name)
    writeMember("identity", entity.identity)
    writeMember("identityRemoteKey", entity.identityRemoteKey)
    writeKey("attributes")
    beginArray()
    for attribute in entity.attributes { write(attribute) }
    endArray()
    if !entity.relationships.isEmpty {
      writeKey("relationships")
      beginArray()
      for relationship in entity.relationships { write(relationship) }
      endArray()
    }
    writeMember("unique", entity.uniquenessConstraints)
    writeMember("indexes", entity.indexes)
    endObject()
  }

  private mutating func write(_ attribute: AttributeDescription) {
    beginObject()
    writeMember("name", attribute.name)
    writeMember("type", attribute.type.rawValue)
    writeMember("optional", attribute.isOptional)
    writeMember("unique", attribute.options.contains(.unique))
    writeMember("preserveValueOnDeletion", attribute.options.contains(.preserveValueOnDeletion))
    writeMember("externalStorage", attribute.options.contains(.externalStorage))
    writeMember("remoteKey", attribute.remoteKey)
    writeMember("notExported", !attribute.isExported)
    writeMember("originalName", attribute.originalName)
    endObject()
  }

  private mutating func write(_ relationship: RelationshipDescription) {
    beginObject()
    writeMember("name", relationship.name)
    writeMember("destination", relationship.destination)
    writeMember("toMany", relationship.isToMany)
    writeMember("optional", relationship.isOptional)
    writeMember("inverse", relationship.inverse)
    writeMember("deleteRule", relationship.deleteRule.rawValue)
    writeMember("remoteKey", relationship.remoteKey)
    writeMember("notExported", !relationship.isExported)
    writeMember("originalName", relationship.originalName)
    endObject()
  }

  private mutating func writeMember(_ key: String, _ isTrue: Bool) {
    guard isTrue else { return }
    writeKey(key)
    write(true)
  }

  private mutating func writeMember(_ key: String, _ lists: [[String]]) {
    guard !lists.isEmpty else { return }
    writeKey(key)
    beginArray()
    for list in lists {
      beginArray()
      for name in list { writeString(name) }
      endArray()
    }
    endArray()
  }
}
