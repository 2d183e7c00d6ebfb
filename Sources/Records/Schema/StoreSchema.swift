/// What a store holds: its entities with their attributes, relationships and constraints, by name.
///
/// The schema is the whole truth about a store's content. It is written into the store, so that a program that has never
/// seen the application's classes (the command-line tool, the dynamic layer) reads everything. The numbers that records
/// and index tables use instead of names are assigned when it is registered, see `Catalog`.
package struct StoreSchema: Sendable, Codable, Equatable {
  /// The entities, in the order in which they were declared.
  package var entities: [EntityDescription]

  package init(entities: [EntityDescription]) {
    self.entities = entities
  }

  package func entity(named name: String) -> EntityDescription? {
    entities.first { $0.name == name }
  }
}

/// One kind of row: its attributes, its relationships and what makes a row unique.
package struct EntityDescription: Sendable, Codable, Equatable {
  package var name: String
  package var attributes: [AttributeDescription]
  package var relationships: [RelationshipDescription]
  /// The name of the attribute that holds the sync identity, if the entity has one.
  package var identity: String?
  /// The payload key of the identity where it was given explicitly (`@PrimaryKey(remote:)`).
  package var identityRemoteKey: String?
  /// Sets of attribute names whose values, taken together, occur at most once. A null among them never conflicts.
  package var uniquenessConstraints: [[String]]
  /// Sets of attribute names that are indexed without being unique.
  package var indexes: [[String]]
  /// The name that the entity had in an earlier version of the schema.
  package var originalName: String?

  package init(
    name: String,
    attributes: [AttributeDescription],
    relationships: [RelationshipDescription] = [],
    identity: String? = nil,
    identityRemoteKey: String? = nil,
    uniquenessConstraints: [[String]] = [],
    indexes: [[String]] = [],
    originalName: String? = nil
  ) {
    self.name = name
    self.attributes = attributes
    self.relationships = relationships
    self.identity = identity
    self.identityRemoteKey = identityRemoteKey
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.originalName = originalName
  }
}

/// A value that every row of an entity carries.
package struct AttributeDescription: Sendable, Codable, Equatable {
  package var name: String
  package var type: AttributeType
  package var isOptional: Bool
  package var options: AttributeOptions
  /// The payload key, where it differs from what the convention makes of the name. Dots lead into nested objects.
  package var remoteKey: String?
  /// Whether an export contains the attribute.
  package var isExported: Bool
  /// The name that the attribute had in an earlier version of the schema.
  package var originalName: String?
  /// What rows that were made before the attribute was there, or before it had to have a value, have in it. It is no part of
  /// the stored description: it counts when the store takes the schema over, and is kept with the layouts of those rows.
  package var defaultValue: FieldValue?

  /// Whether large values go outside of the record. For what has a fixed width the option has no effect.
  var isExternal: Bool { options.contains(.externalStorage) && FieldKind(type).fixedByteCount == nil }

  private enum CodingKeys: String, CodingKey {
    case name, type, isOptional, options, remoteKey, isExported, originalName
  }

  package init(
    name: String,
    type: AttributeType,
    isOptional: Bool = false,
    options: AttributeOptions = [],
    remoteKey: String? = nil,
    isExported: Bool = true,
    originalName: String? = nil,
    defaultValue: FieldValue? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.options = options
    self.remoteKey = remoteKey
    self.isExported = isExported
    self.originalName = originalName
    self.defaultValue = defaultValue
  }
}

/// Options of an attribute that change how the store treats it.
package struct AttributeOptions: OptionSet, Sendable, Codable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The value occurs at most once among the rows of the entity.
  package static let unique = AttributeOptions(rawValue: 1)
  /// The value outlives the row in the tombstone of its deletion.
  package static let preserveValueOnDeletion = AttributeOptions(rawValue: 2)
  /// Large values are kept outside of the record.
  package static let externalStorage = AttributeOptions(rawValue: 4)
}

/// The types that an attribute can have in a record.
public enum AttributeType: String, Sendable, Codable, CaseIterable {
  case bool
  case int8, int16, int32, int64
  case uint8, uint16, uint32, uint64
  case float, double
  case decimal
  case string
  case date
  case uuid
  case url
  case data
  /// Anything else that is `Codable`: arrays, dictionaries, structs, enums with payloads; kept as JSON text.
  case composite
}

/// A named link from the rows of one entity to rows of another (or the same) entity.
package struct RelationshipDescription: Sendable, Codable, Equatable {
  package var name: String
  /// The name of the entity that it leads to.
  package var destination: String
  package var isToMany: Bool
  package var isOptional: Bool
  /// The name of the relationship of the destination that is the other direction of this one, if there is one.
  package var inverse: String?
  /// Whether the declaration itself named the inverse.
  package var isInverseExplicit: Bool
  package var deleteRule: DeleteRule
  package var remoteKey: String?
  package var isExported: Bool
  package var originalName: String?

  package init(
    name: String,
    destination: String,
    isToMany: Bool,
    isOptional: Bool = true,
    inverse: String? = nil,
    isInverseExplicit: Bool = false,
    deleteRule: DeleteRule = .nullify,
    remoteKey: String? = nil,
    isExported: Bool = true,
    originalName: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.inverse = inverse
    self.isInverseExplicit = isInverseExplicit
    self.deleteRule = deleteRule
    self.remoteKey = remoteKey
    self.isExported = isExported
    self.originalName = originalName
  }

  /// Whether it always leads to a row: it is to-one and not optional.
  package var isRequired: Bool { !isToMany && !isOptional }
}

/// What happens to the rows at the far end of a relationship when a row is deleted.
package enum DeleteRule: String, Sendable, Codable {
  /// They stay, and no longer point at the deleted row.
  case nullify
  /// They are deleted too.
  case cascade
  /// The deletion is refused unless they are deleted in the same transaction.
  case deny
  /// Nothing is done for them by this relationship.
  case noAction
}
