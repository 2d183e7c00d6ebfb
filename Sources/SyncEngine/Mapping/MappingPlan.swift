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
  /// Those of them that aren't optional.
  let requiredAttributes: [AttributePlan]
  /// In the order of their declaration.
  let relationships: [RelationshipPlan]
  /// The fields of the to-one relationships.
  let toOneFields: [FieldIndex]

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
    requiredAttributes = attributes.filter { !$0.attribute.isOptional }
    relationships = entity.relationships.map { relationship in
      RelationshipPlan(relationship, in: catalog, style: convention.keyStyle, keys: &keys)
    }
    toOneFields = entity.relationships.compactMap(\.field)
    self.keys = keys
  }

  /// The position of the relationship that is the other direction of one of any plan; nil if this entity has none.
  func inverse(of plan: RelationshipPlan) -> Int? {
    relationships.firstIndex { $0.relationship.id == plan.relationship.inverse }
  }

  /// The to-one relationships that must lead somewhere.
  var requiredRelationships: [RelationshipPlan] {
    relationships.filter(\.relationship.description.isRequired)
  }
}

/// How an attribute is read from an object.
final class AttributePlan: Sendable {
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

extension Attribute {
  /// The key that the attribute is read from, before the style is applied.
  var inputKey: String { description.remoteKey?.nonEmpty ?? name }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }
}
