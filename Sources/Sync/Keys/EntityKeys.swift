/// Under which keys of a JSON object the properties of an entity are read. Made once for each entity of a model.
///
/// A key that is listed as it is belongs to the property that lists it. Any other key belongs to the property that lists its
/// canonical form, if there is one. Attributes and relationships are looked for independently of each other.
package struct EntityKeys: Sendable, Hashable {
  static let usualPrimaryKeys = ["id", "remoteID"]

  /// In the order of the entity's attributes.
  package let attributes: [AttributeKeys]
  /// In the order of the entity's relationships.
  package let relationships: [RelationshipKeys]

  /// - Throws: `ModelError.ambiguousKey` for a key that could mean two attributes, or two relationships.
  init(_ entity: EntityDescription) throws(ModelError) {
    attributes = try AttributeKeys.all(of: entity)
    relationships = try RelationshipKeys.all(of: entity)
  }

  /// The keys of the attribute with a name.
  package func attribute(named name: String) -> AttributeKeys? { attributes.first { $0.attribute == name } }

  /// The keys of the relationship with a name.
  package func relationship(named name: String) -> RelationshipKeys? {
    relationships.first { $0.relationship == name }
  }
}

/// Under which keys an attribute is read.
package struct AttributeKeys: Sendable, Hashable {
  /// The attribute's name.
  package let attribute: String
  /// The keys as they are, in the order in which they are tried. A key with dots leads into nested objects where it isn't there
  /// as it is.
  package internal(set) var exact: [String]
  /// The canonical form of the attribute's name, unless it belongs to another attribute.
  package internal(set) var canonical: String?
}

/// Under which keys a relationship is read.
package struct RelationshipKeys: Sendable, Hashable {
  /// The relationship's name.
  package let relationship: String
  /// The key that the model gives it: identities and nested objects alike are read under it, and under nothing else.
  package let remoteKey: String?
  /// Without such a key: the canonical form of the key of identities, which is tried first.
  package let identities: String?
  /// Without such a key: the canonical form of the key of nested objects. The name as it is comes before other spellings.
  package let objects: String?
}

extension RelationshipKeys {
  /// - Throws: `ModelError.ambiguousKey` for two relationships whose names differ in style only.
  static func all(of entity: EntityDescription) throws(ModelError) -> [RelationshipKeys] {
    var owners: [String: String] = [:]
    var result: [RelationshipKeys] = []
    for relationship in entity.relationships {
      if let key = relationship.customKey {
        result.append(
          RelationshipKeys(relationship: relationship.name, remoteKey: key, identities: nil, objects: nil))
        continue
      }
      let name = Inflection.canonical(relationship.name)
      if let first = owners.updateValue(relationship.name, forKey: name) {
        throw .ambiguousKey(
          entity: entity.name, key: Inflection.snakeCase(relationship.name), first: first, second: relationship.name)
      }
      result.append(
        RelationshipKeys(
          relationship: relationship.name, remoteKey: nil, identities: name + (relationship.isToMany ? "ids" : "id"),
          objects: name))
    }
    return result
  }
}
