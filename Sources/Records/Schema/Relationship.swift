/// A declared relationship of an entity.
package final class Relationship: Sendable {
  package let id: RelationshipID
  package let name: String
  package let description: RelationshipDescription
  /// The entity that declares it.
  package let entity: EntityID
  package let destination: EntityID
  package let isToMany: Bool
  /// The record field that holds the row at the far end; nil for a to-many relationship.
  package let field: FieldIndex?
  /// The relationship's member number in a `PropertySet`.
  package let propertyIndex: Int
  /// The other direction, declared or implicit.
  package let inverse: RelationshipID

  /// The same as a direction of a link, which is what the store's machinery works on.
  let direction: LinkDirection

  init(description: RelationshipDescription, direction: LinkDirection, inverse: RelationshipID, propertyIndex: Int) {
    name = description.name
    isToMany = description.isToMany
    id = direction.id
    entity = direction.entity
    destination = direction.destination
    field = direction.field
    self.description = description
    self.direction = direction
    self.inverse = inverse
    self.propertyIndex = propertyIndex
  }
}

/// The number of one direction of a link in its store, assigned when the schema is registered and never reused.
package struct RelationshipID: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static func < (left: RelationshipID, right: RelationshipID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// One of the two directions of a link: a declared relationship, or the implicit inverse of one.
///
/// A to-one direction lives in a field of the owner's record, a to-many direction in a table of its own. Both directions
/// of a link are always kept together; nothing above this layer can set one of them alone.
final class LinkDirection: Sendable {
  let id: RelationshipID
  /// The direction's place in `Catalog.directions`.
  let slot: Int
  let inverseSlot: Int
  /// Where the direction starts.
  let entity: EntityID
  let entitySlot: Int
  /// Where it leads.
  let destination: EntityID
  let destinationSlot: Int
  /// The field of a to-one direction; nil means to-many.
  let field: FieldIndex?
  /// The member number in the owner's `PropertySet`; nil for an implicit inverse, which no property shows.
  let propertyIndex: Int?
  let deleteRule: DeleteRule
  /// Whether every row must have a destination here: a to-one relationship that is not optional.
  let isRequired: Bool
  /// What messages call it.
  let name: String

  /// Whether the other direction is a field of a record as well.
  let isOneToOne: Bool

  init(
    id: RelationshipID, slot: Int, inverseSlot: Int, entity: EntityID, entitySlot: Int, destination: EntityID,
    destinationSlot: Int, field: FieldIndex?, propertyIndex: Int?, deleteRule: DeleteRule, isRequired: Bool,
    name: String, isOneToOne: Bool
  ) {
    self.id = id
    self.slot = slot
    self.inverseSlot = inverseSlot
    self.entity = entity
    self.entitySlot = entitySlot
    self.destination = destination
    self.destinationSlot = destinationSlot
    self.field = field
    self.propertyIndex = propertyIndex
    self.deleteRule = deleteRule
    self.isRequired = isRequired
    self.name = name
    self.isOneToOne = isOneToOne
  }

  var isToMany: Bool { field == nil }
}
