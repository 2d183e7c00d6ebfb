// What the parts of a catalog are in its text. Each gives nil for what it does not know, and then the whole text is decoded in the
// usual way.

extension CatalogDocument {
  init?(_ value: CatalogText.Value) {
    guard let entities = value["entities"]?.map(StoredEntity.init),
      let nextEntityID = value["nextEntityID"]?.number(UInt32.self),
      let nextRelationshipID = value["nextRelationshipID"]?.number(UInt32.self),
      let nextIndexID = value["nextIndexID"]?.number(UInt32.self)
    else { return nil }
    let version = value["schemaVersion"]
    let schemaVersion = version.flatMap(SchemaVersion.init)
    if version != nil, schemaVersion == nil { return nil }
    self.init(
      entities: entities, schemaVersion: schemaVersion, nextEntityID: nextEntityID,
      nextRelationshipID: nextRelationshipID,
      nextIndexID: nextIndexID)
  }
}

extension SchemaVersion {
  fileprivate init?(_ value: CatalogText.Value) {
    guard let major = value["major"]?.number(Int.self), let minor = value["minor"]?.number(Int.self),
      let patch = value["patch"]?.number(Int.self)
    else { return nil }
    self.init(major, minor, patch)
  }
}

extension CatalogDocument.StoredEntity {
  fileprivate init?(_ value: CatalogText.Value) {
    guard let id = value["id"]?.number(UInt32.self), let layoutVersion = value["layoutVersion"]?.number(UInt16.self),
      let fields = value["fields"]?.texts, value["earlierLayouts"] == nil,
      let description = value["description"].flatMap(EntityDescription.init),
      let relationships = value["relationships"]?.map(CatalogDocument.StoredRelationship.init),
      let indexes = value["indexes"]?.map(CatalogDocument.StoredIndex.init),
      let properties = value["properties"]?.texts
    else { return nil }
    let formedFields = value["formedFields"]
    if formedFields != nil, formedFields?.texts == nil { return nil }
    self.init(
      id: id, layoutVersion: layoutVersion, fields: fields, formedFields: formedFields?.texts, earlierLayouts: nil,
      description: description, relationships: relationships, indexes: indexes, properties: properties)
  }
}

extension CatalogDocument.StoredRelationship {
  fileprivate init?(_ value: CatalogText.Value) {
    guard let name = value["name"]?.text, let id = value["id"]?.number(UInt32.self),
      let inverse = value["inverse"]?.number(UInt32.self)
    else { return nil }
    self.init(name: name, id: id, inverse: inverse)
  }
}

extension CatalogDocument.StoredIndex {
  fileprivate init?(_ value: CatalogText.Value) {
    guard let id = value["id"]?.number(UInt32.self), let attributes = value["attributes"]?.texts,
      let isUnique = value["isUnique"]?.bool
    else { return nil }
    self.init(id: id, attributes: attributes, isUnique: isUnique)
  }
}

extension EntityDescription {
  fileprivate init?(_ value: CatalogText.Value) {
    guard let name = value["name"]?.text, let attributes = value["attributes"]?.map(AttributeDescription.init),
      let relationships = value["relationships"]?.map(RelationshipDescription.init),
      let uniquenessConstraints = value["uniquenessConstraints"]?.listsOfTexts,
      let indexes = value["indexes"]?.listsOfTexts,
      value.hasTextsOrNothing("identity", "identityRemoteKey", "originalName")
    else { return nil }
    self.init(
      name: name, attributes: attributes, relationships: relationships, identity: value["identity"]?.text,
      identityRemoteKey: value["identityRemoteKey"]?.text, uniquenessConstraints: uniquenessConstraints,
      indexes: indexes, originalName: value["originalName"]?.text)
  }
}

extension AttributeDescription {
  fileprivate init?(_ value: CatalogText.Value) {
    guard let name = value["name"]?.text, let type = value["type"]?.text.flatMap(AttributeType.init),
      let isOptional = value["isOptional"]?.bool, let options = value["options"]?.number(UInt8.self),
      let isExported = value["isExported"]?.bool, value.hasTextsOrNothing("remoteKey", "originalName")
    else { return nil }
    self.init(
      name: name, type: type, isOptional: isOptional, options: AttributeOptions(rawValue: options),
      remoteKey: value["remoteKey"]?.text, isExported: isExported, originalName: value["originalName"]?.text)
  }
}

extension RelationshipDescription {
  fileprivate init?(_ value: CatalogText.Value) {
    guard let name = value["name"]?.text, let destination = value["destination"]?.text,
      let isToMany = value["isToMany"]?.bool, let isOptional = value["isOptional"]?.bool,
      let isInverseExplicit = value["isInverseExplicit"]?.bool,
      let deleteRule = value["deleteRule"]?.text.flatMap(DeleteRule.init),
      let isExported = value["isExported"]?.bool,
      value.hasTextsOrNothing("inverse", "remoteKey", "originalName")
    else { return nil }
    self.init(
      name: name, destination: destination, isToMany: isToMany, isOptional: isOptional,
      inverse: value["inverse"]?.text, isInverseExplicit: isInverseExplicit, deleteRule: deleteRule,
      remoteKey: value["remoteKey"]?.text, isExported: isExported, originalName: value["originalName"]?.text)
  }
}
