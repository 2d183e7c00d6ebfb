import Records
import SyncEngine

/// The keys and rules of a model as mappings of the engine.
struct ModelMapping: MappingRules {
  let model: ManagedObjectModel

  /// Nil for a name that the model doesn't have, and for an abstract entity that is spread over several tables.
  func mapping(of name: String, in catalog: Catalog, _ convention: MappingConvention) -> EntityMapping? {
    guard let entity = model.entity(named: name), let keys = model.keys[name], let tables = model.storage.tables[name],
      let stored = tables.first, tables.count == 1, let table = catalog.entity(named: stored.table)
    else { return nil }
    return EntityMapping(
      name: name, table: stored.table, members: members(of: entity, stored, in: table),
      identity: identity(of: entity, keys, stored), attributes: attributes(of: entity, keys, stored),
      relationships: relationships(of: entity, keys, stored), canonicalForm: { Inflection.canonical($0) })
  }

  private func members(of entity: EntityDescription, _ stored: StoredEntity, in table: Entity) -> MappedMembers? {
    guard table.attribute(named: StoredModel.entityAttribute) != nil else { return nil }
    let family = model.family(of: entity.name).filter { model.entity(named: $0)?.isAbstract == false }
    return MappedMembers(
      attribute: StoredModel.entityAttribute, own: entity.isAbstract ? nil : entity.name, all: family)
  }

  private func identity(
    of entity: EntityDescription, _ keys: EntityKeys, _ stored: StoredEntity
  ) -> MappedIdentity? {
    guard let key = entity.localPrimaryKey, let read = keys.attribute(named: key) else { return nil }
    return MappedIdentity(attribute: stored.name(of: key), own: read.candidates, isConverted: true)
  }

  private func attributes(
    of entity: EntityDescription, _ keys: EntityKeys, _ stored: StoredEntity
  ) -> [MappedAttribute] {
    let key = entity.localPrimaryKey
    return entity.attributes.filter { $0.isRead && $0.name != key }.map { attribute in
      MappedAttribute(
        name: attribute.name, stored: stored.name(of: attribute.name),
        keys: keys.attribute(named: attribute.name)?.candidates ?? [], reader: attribute.reader,
        initialValue: attribute.defaultValue?.fieldValue(as: attribute.type), standIn: .initialValue)
    }
  }

  private func relationships(
    of entity: EntityDescription, _ keys: EntityKeys, _ stored: StoredEntity
  ) -> [MappedRelationship] {
    entity.relationships.map { relationship in
      MappedRelationship(
        name: relationship.name, stored: stored.name(of: relationship.name),
        keys: keys.relationship(named: relationship.name)?.candidates ?? [], destination: relationship.destination,
        prefersObjects: true, isOrdered: relationship.isOrdered)
    }
  }
}

extension AttributeKeys {
  fileprivate var candidates: [MappedKey] { exact.map { .exact($0) } + (canonical.map { [.form($0)] } ?? []) }
}

extension RelationshipKeys {
  fileprivate var candidates: [MappedRelationship.Key] {
    if let remoteKey { return [MappedRelationship.Key([.exact(remoteKey)], .any)] }
    var keys: [MappedRelationship.Key] = []
    if let identities { keys.append(MappedRelationship.Key([.form(identities)], .identities)) }
    if let objects { keys.append(MappedRelationship.Key([.exact(relationship), .form(objects)], .objects)) }
    return keys
  }
}
