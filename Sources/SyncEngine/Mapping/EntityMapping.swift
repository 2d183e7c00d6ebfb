import Records

/// Which rows of a store are objects of an entity, and under which keys their properties are read: what the modules above the
/// engine decide each in their own way, and what a `MappingPlan` is made of.
package struct EntityMapping: Sendable {
  /// What reports, errors and other mappings call the entity.
  package var name: String
  /// The entity of the store that the rows are in.
  package var table: String
  /// Which rows of it. Nil for all.
  package var members: MappedMembers?
  /// Nil if nothing tells the rows apart. Then they can only be reached from other rows.
  package var identity: MappedIdentity?
  package var attributes: [MappedAttribute]
  package var relationships: [MappedRelationship]
  /// The canonical form of a key, for keys that are given by their forms.
  package var canonicalForm: (@Sendable (String) -> String)?

  package init(
    name: String, table: String, members: MappedMembers? = nil, identity: MappedIdentity?,
    attributes: [MappedAttribute], relationships: [MappedRelationship],
    canonicalForm: (@Sendable (String) -> String)? = nil
  ) {
    self.name = name
    self.table = table
    self.members = members
    self.identity = identity
    self.attributes = attributes
    self.relationships = relationships
    self.canonicalForm = canonicalForm
  }
}

/// A key to try.
package enum MappedKey: Sendable, Hashable {
  /// The key as it is, or, where it has dots, as a path into nested objects.
  case exact(String)
  /// Any key of a canonical form that no property of the same kind has as it is.
  case form(String)
}

/// The rows of a shared table that are objects of one entity.
package struct MappedMembers: Sendable {
  /// The attribute that says of each row what it is.
  package var attribute: String
  /// What it says of new rows. Nil for an entity that has no rows of its own.
  package var own: String?
  /// What it says of rows of the entity and of those that are special cases of it.
  package var all: [String]

  package init(attribute: String, own: String?, all: [String]) {
    self.attribute = attribute
    self.own = own
    self.all = all
  }
}

/// How the identity of a row is read.
package struct MappedIdentity: Sendable {
  package var attribute: String
  /// The keys that the model names.
  package var own: [MappedKey]
  /// Those that are tried when the object has none of these.
  package var aliases: [MappedKey]
  /// Whether a value that is there and can't be the identity makes the sync fail, and whether a reference may be of another kind than
  /// the identity (`"7"` for 7). Otherwise the object counts as one without identity, and such a reference as none.
  package var isConverted: Bool

  package init(attribute: String, own: [MappedKey], aliases: [MappedKey] = [], isConverted: Bool = false) {
    self.attribute = attribute
    self.own = own
    self.aliases = aliases
    self.isConverted = isConverted
  }
}

/// How an attribute is read.
package struct MappedAttribute: Sendable {
  /// What takes the place of a value that can't be stored, where the attribute isn't optional.
  package enum StandIn: Sendable {
    /// For null the default of the type, for an unreadable date the epoch.
    case defaultOfType
    /// The value that new rows have, if they have one.
    case initialValue
  }

  /// What reports call it.
  package var name: String
  /// Its name in the store.
  package var stored: String
  /// In the order in which they are tried.
  package var keys: [MappedKey]
  package var reader: AttributeReader?
  /// What new rows have before an object is read.
  package var initialValue: FieldValue?
  package var standIn: StandIn

  package init(
    name: String, stored: String, keys: [MappedKey], reader: AttributeReader? = nil, initialValue: FieldValue? = nil,
    standIn: StandIn
  ) {
    self.name = name
    self.stored = stored
    self.keys = keys
    self.reader = reader
    self.initialValue = initialValue
    self.standIn = standIn
  }
}

/// How a relationship is read.
package struct MappedRelationship: Sendable {
  package struct Key: Sendable {
    /// In the order in which they are tried.
    package var candidates: [MappedKey]
    package var shape: RelationshipKeys.Shape

    package init(_ candidates: [MappedKey], _ shape: RelationshipKeys.Shape) {
      self.candidates = candidates
      self.shape = shape
    }
  }

  /// What reports call it.
  package var name: String
  /// Its name in the store.
  package var stored: String
  /// In the order in which they are looked for. The first that is present is taken, also when it is null.
  package var keys: [Key]
  /// The mapping of the objects that it leads to.
  package var destination: String
  /// Whether objects are taken before identities when both are there.
  package var prefersObjects: Bool
  /// Whether the order of a list counts.
  package var isOrdered: Bool

  package init(
    name: String, stored: String, keys: [Key], destination: String, prefersObjects: Bool = false,
    isOrdered: Bool = false
  ) {
    self.name = name
    self.stored = stored
    self.keys = keys
    self.destination = destination
    self.prefersObjects = prefersObjects
    self.isOrdered = isOrdered
  }
}
