import Records

/// How payload objects become rows of one entity, in one convention: every key to try, resolved and numbered.
package final class MappingPlan: Sendable {
  /// What reports and errors call the entity.
  let name: String
  /// The entity of the store that the rows are in.
  let entity: Entity
  /// Which rows of it; nil for all.
  let members: PlannedMembers?
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
  /// What new rows have before an object is read.
  let initialValues: [(field: FieldIndex, value: FieldValue)]

  /// Nil if the catalog has no such table.
  init?(_ mapping: EntityMapping, in catalog: Catalog, convention: MappingConvention) {
    guard let entity = catalog.entity(named: mapping.table) else { return nil }
    var keys = KeyTable()
    name = mapping.name
    self.entity = entity
    self.convention = convention
    identity = mapping.identity.flatMap { IdentityPlan($0, of: entity, keys: &keys) }
    var attributes: [AttributePlan] = []
    for attribute in mapping.attributes {
      guard let stored = entity.attribute(named: attribute.stored) else { continue }
      attributes.append(AttributePlan(attribute, stored, keys: &keys))
    }
    var relationships: [RelationshipPlan] = []
    for relationship in mapping.relationships {
      guard let stored = entity.relationship(named: relationship.stored) else { continue }
      relationships.append(RelationshipPlan(relationship, stored, in: catalog, keys: &keys))
    }
    keys.relateForms(mapping.canonicalForm)
    self.keys = keys
    self.attributes = attributes
    self.relationships = relationships
    requiredAttributes = attributes.filter { !$0.attribute.isOptional }
    toOneFields = relationships.compactMap(\.relationship.field)
    members = mapping.members.flatMap { PlannedMembers($0, of: entity) }
    var initialValues = attributes.compactMap { plan in plan.initialValue.map { (plan.attribute.field, $0) } }
    if let members, let own = members.own { initialValues.append((members.field, own)) }
    self.initialValues = initialValues
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

/// The rows of a shared table that are objects of one entity.
struct PlannedMembers: Sendable {
  let field: FieldIndex
  /// What the field has in new rows; nil if there can't be any.
  let own: FieldValue?
  /// What it has in rows of the entity and of its special cases.
  let all: [FieldValue]

  init?(_ members: MappedMembers, of entity: Entity) {
    guard let attribute = entity.attribute(named: members.attribute) else { return nil }
    field = attribute.field
    own = members.own.map { .string($0) }
    all = members.all.map { .string($0) }
  }
}

/// How an attribute is read from an object.
final class AttributePlan: Sendable {
  /// What reports and errors call it.
  let name: String
  let attribute: Attribute
  let candidates: [KeyCandidate]
  let reader: AttributeReader?
  let initialValue: FieldValue?
  let standIn: MappedAttribute.StandIn

  init(_ mapped: MappedAttribute, _ attribute: Attribute, keys: inout KeyTable) {
    name = mapped.name
    self.attribute = attribute
    reader = mapped.reader
    initialValue = mapped.initialValue
    standIn = mapped.standIn
    candidates = mapped.keys.map { KeyCandidate($0, of: .attributes, in: &keys) }
  }
}
