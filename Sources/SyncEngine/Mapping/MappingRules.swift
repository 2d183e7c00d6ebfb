import Records

/// Says how payloads are mapped to the entities of a store.
package protocol MappingRules: Sendable {
  /// The mapping of an entity; nil if the store has none with this name.
  func mapping(of entity: String, in catalog: Catalog, _ convention: MappingConvention) -> EntityMapping?
}

/// The names of properties decide, in the style of the convention; what the schema says about keys overrules them.
struct StyledRules: MappingRules {
  let reader: @Sendable (_ entity: String, _ attribute: String) -> AttributeReader?

  func mapping(of entity: String, in catalog: Catalog, _ convention: MappingConvention) -> EntityMapping? {
    guard let entity = catalog.entity(named: entity) else { return nil }
    let style = convention.keyStyle
    return EntityMapping(
      name: entity.name, table: entity.name, identity: identity(of: entity, style),
      attributes: entity.attributes.filter { $0 !== entity.identity }.map { attribute in
        MappedAttribute(
          name: attribute.name, stored: attribute.name, keys: exact(attribute.inputKey, style),
          reader: reader(entity.name, attribute.name), standIn: .defaultOfType)
      },
      relationships: entity.relationships.map { relationship in
        let keys = RelationshipKeys(
          name: relationship.name, isToMany: relationship.isToMany, remoteKey: relationship.description.remoteKey)
        return MappedRelationship(
          name: relationship.name, stored: relationship.name,
          keys: keys.keys.map { MappedRelationship.Key(exact($0.name, style), $0.shape) },
          destination: relationship.description.destination)
      })
  }

  private func identity(of entity: Entity, _ style: KeyStyle) -> MappedIdentity? {
    guard let attribute = entity.identity else { return nil }
    let names = IdentityKeys(of: entity.description, style: style)
    return MappedIdentity(
      attribute: attribute.name, own: names.own.map { .exact($0) }, aliases: names.aliases.map { .exact($0) })
  }

  private func exact(_ name: String, _ style: KeyStyle) -> [MappedKey] {
    KeyCandidates.candidates(for: name, in: style).map { .exact($0) }
  }
}

extension Attribute {
  /// The key that the attribute is read from, before the style is applied.
  fileprivate var inputKey: String { description.remoteKey?.nonEmpty ?? name }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }
}
