import Records

/// How payload objects become rows of one entity, in one convention: every key to try, resolved and numbered.
package final class MappingPlan: Sendable {
  let entity: Entity
  let convention: MappingConvention
  let keys: KeyTable
  /// Nil for an entity without identity, whose rows can't be synced.
  let identity: IdentityPlan?
  /// All attributes but the identity, in the order of their declaration.
  let attributes: [AttributePlan]
  /// In the order of their declaration.
  let relationships: [RelationshipPlan]

  init(
    _ entity: Entity, in catalog: Catalog, convention: MappingConvention,
    reader: (_ entity: String, _ attribute: String) -> AttributeReader?
  ) {
    var keys = KeyTable()
    self.entity = entity
    self.convention = convention
    identity = IdentityPlan(of: entity, style: convention.keyStyle, keys: &keys)
    attributes = entity.attributes.filter { $0 !== entity.identity }.map { attribute in
      AttributePlan(
        attribute, style: convention.keyStyle, reader: reader(entity.name, attribute.name), keys: &keys)
    }
    relationships = entity.relationships.map { relationship in
      RelationshipPlan(relationship, in: catalog, style: convention.keyStyle, keys: &keys)
    }
    self.keys = keys
  }

  /// The to-one relationships that must lead somewhere.
  var requiredRelationships: [RelationshipPlan] {
    relationships.filter { !$0.relationship.isToMany && !$0.relationship.description.isOptional }
  }
}

/// How an attribute is read from an object.
struct AttributePlan: Sendable {
  let attribute: Attribute
  let candidates: [KeyCandidate]
  let reader: AttributeReader?

  init(_ attribute: Attribute, style: KeyStyle, reader: AttributeReader?, keys: inout KeyTable) {
    self.attribute = attribute
    self.reader = reader
    let names = KeyCandidates.candidates(for: attribute.inputKey, in: style)
    candidates = names.map { KeyCandidate($0, in: &keys) }
  }
}

/// How a relationship is read from an object.
struct RelationshipPlan: Sendable {
  let relationship: Relationship
  let keys: [(candidates: [KeyCandidate], shape: RelationshipKeys.Shape)]
  let destination: Entity?
  /// Whether the other direction is a to-one relationship too.
  let isOneToOne: Bool

  init(_ relationship: Relationship, in catalog: Catalog, style: KeyStyle, keys table: inout KeyTable) {
    self.relationship = relationship
    destination = catalog[relationship.destination]
    let inverse = destination?.relationships.first { $0.id == relationship.inverse }
    isOneToOne = !relationship.isToMany && inverse?.isToMany == false
    let names = RelationshipKeys(
      name: relationship.name, isToMany: relationship.isToMany, remoteKey: relationship.description.remoteKey)
    var keys: [(candidates: [KeyCandidate], shape: RelationshipKeys.Shape)] = []
    for key in names.keys {
      let candidates = KeyCandidates.candidates(for: key.name, in: style).map { KeyCandidate($0, in: &table) }
      keys.append((candidates, key.shape))
    }
    self.keys = keys
  }

  /// The value under the first of the keys that is present, null included, and what it may be.
  @inline(__always)
  func find(in reader: borrowing RowReader) -> (value: PayloadValue, shape: RelationshipKeys.Shape)? {
    for key in keys {
      for candidate in key.candidates {
        if let value = reader.value(candidate) { return (value, key.shape) }
      }
    }
    return nil
  }
}

extension Attribute {
  /// The key that the attribute is read from, before the style is applied.
  var inputKey: String { description.remoteKey?.nonEmpty ?? name }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }
}
