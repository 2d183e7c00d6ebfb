/// One kind of row, as a store knows it: its properties with their places in records, and its indexes.
@usableFromInline
package final class Entity: Sendable {
  /// The most attributes and relationships together, because a `PropertySet` has a bit for each.
  package static let propertiesMax = 256

  package let id: EntityID
  package let name: String
  package let description: EntityDescription
  /// In the order of their declaration.
  package let attributes: [Attribute]
  /// The declared relationships, in the order of their declaration.
  package let relationships: [Relationship]
  package let layout: RecordLayout
  /// How records of earlier layouts are read.
  let upgrades: [RecordUpgrade]
  /// Every index, the unique ones among them.
  package let indexes: [Index]
  package let uniqueIndexes: [Index]
  /// The attribute that holds the sync identity.
  package let identity: Attribute?
  /// Whether what is changed here is kept for a server: the identity is preserved when a row is deleted, so that the deletion can
  /// be told.
  package let isOfflineEnabled: Bool
  /// The index on the identity. It is unique only if the schema says that the identity is.
  package let identityIndex: Index?

  /// The entity's place in `Catalog.entities`, by which per-entity state is found without hashing.
  let slot: Int
  /// Every direction of a link that starts at this entity, implicit inverses included.
  let directions: [LinkDirection]
  /// Of these, the to-one directions whose other direction is to-many.
  let references: [LinkDirection]
  /// Of these, the to-one directions whose other direction is to-one too.
  let pairings: [LinkDirection]
  /// The to-one directions that must lead to a row.
  let requiredDirections: [LinkDirection]
  /// The member numbers in a `PropertySet` of the record's fields.
  let propertyOfField: [Int]
  /// The presence bits that a record must have: one for each attribute that is not optional.
  package let requiredPresence: [UInt8]
  /// The attributes whose values are kept when a row is deleted.
  let preservedAttributes: [Attribute]
  /// The properties' numbers in the history.
  let propertyNumbers: PropertyNumbers
  /// The attributes whose contents may lie outside of the record.
  let formedAttributes: [Attribute]

  init(
    id: EntityID, slot: Int, description: EntityDescription, layout: RecordLayout,
    upgrades: [RecordUpgrade], attributes: [Attribute], relationships: [Relationship], directions: [LinkDirection],
    indexes: [Index], propertyNumbers: PropertyNumbers
  ) {
    self.id = id
    self.slot = slot
    self.name = description.name
    self.description = description
    self.layout = layout
    self.upgrades = upgrades
    self.attributes = attributes
    self.relationships = relationships
    self.directions = directions
    self.indexes = indexes
    uniqueIndexes = indexes.filter(\.isUnique)
    identity = attributes.first { $0.name == description.identity }
    isOfflineEnabled = identity.map { $0.description.options.contains(.preserveValueOnDeletion) } ?? false
    identityIndex = identity.flatMap { identity in
      indexes.first { $0.attributes.count == 1 && $0.attributes[0] === identity }
    }
    references = directions.filter { !$0.isToMany && !$0.isOneToOne }
    pairings = directions.filter(\.isOneToOne)
    requiredDirections = directions.filter(\.isRequired)
    var properties = [Int](repeating: 0, count: layout.fields.count)
    for attribute in attributes { properties[attribute.field] = attribute.propertyIndex }
    for relationship in relationships {
      if let field = relationship.field { properties[field] = relationship.propertyIndex }
    }
    propertyOfField = properties
    var required = [UInt8](repeating: 0, count: layout.presenceByteCount)
    for attribute in attributes where !attribute.isOptional {
      required[attribute.field >> 3] |= 1 << UInt8(attribute.field & 7)
    }
    requiredPresence = required
    preservedAttributes = attributes.filter { $0.description.options.contains(.preserveValueOnDeletion) }
    self.propertyNumbers = propertyNumbers
    formedAttributes = attributes.filter { layout.fields[$0.field].hasForm }
  }

  package func attribute(named name: String) -> Attribute? {
    attributes.first { $0.name == name }
  }

  package func relationship(named name: String) -> Relationship? {
    relationships.first { $0.name == name }
  }

  /// Whether values of an attribute may lie outside of the record. Conditions and orders then have to read them.
  package func mayLieOutside(_ field: FieldIndex) -> Bool { layout.fields[field].hasForm }
}

/// An attribute of an entity and its place in the entity's records.
package final class Attribute: Sendable {
  package let name: String
  package let description: AttributeDescription
  package let field: FieldIndex
  /// The attribute's member number in a `PropertySet`.
  package let propertyIndex: Int
  package let type: AttributeType
  package let isOptional: Bool

  init(description: AttributeDescription, field: FieldIndex, propertyIndex: Int) {
    name = description.name
    type = description.type
    isOptional = description.isOptional
    self.description = description
    self.field = field
    self.propertyIndex = propertyIndex
  }
}

/// An index of an entity: rows by the values of some of its attributes.
@usableFromInline
package final class Index: Sendable {
  package let id: IndexID
  package let entity: EntityID
  package let attributes: [Attribute]
  /// Whether one combination of values (none of them null) belongs to at most one row.
  package let isUnique: Bool

  /// The index's place in `Catalog.indexes`.
  let slot: Int

  init(id: IndexID, slot: Int, entity: EntityID, attributes: [Attribute], isUnique: Bool) {
    self.id = id
    self.slot = slot
    self.entity = entity
    self.attributes = attributes
    self.isUnique = isUnique
  }
}

/// The number of an index in its store, assigned when the schema is registered and never reused.
package struct IndexID: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static func < (left: IndexID, right: IndexID) -> Bool {
    left.rawValue < right.rawValue
  }
}
