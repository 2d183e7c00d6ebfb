import KeyValueStore
import Records

/// Connects an entity of a model with one of a store: which property is which field or relationship.
final class EntityBinding: Sendable {
  /// An attribute, and where it is stored: nowhere if it is transient.
  struct AttributePlace {
    let description: AttributeDescription
    let field: FieldIndex?
  }

  /// A relationship, where it is stored, and its other direction.
  struct RelationshipPlace {
    let description: RelationshipDescription
    let stored: Relationship?
    let inverse: RelationshipDescription?
  }

  /// A property, by its position among those of its kind.
  enum Property: Hashable {
    case attribute(Int)
    case relationship(Int)
  }

  let entity: EntityDescription
  /// The store that the objects are in.
  let store: StoreIdentifier
  /// The store's entity; nil for an abstract one that is not stored.
  let table: Entity?
  /// Where rows say whose they are, if entities share the table.
  let entityField: FieldIndex?
  /// In the order of the entity's attributes.
  let attributes: [AttributePlace]
  /// In the order of the entity's relationships.
  let relationships: [RelationshipPlace]
  /// What objects of the entity are in Swift.
  let objectClass: ManagedObject.Type
  private let properties: [String: Property]
  /// The properties by their fields in records.
  private let propertiesByField: [FieldIndex: Property]
  private let positions: [RelationshipID: Int]

  init(
    _ entity: EntityDescription, of model: ManagedObjectModel, _ catalog: Catalog, in store: StoreIdentifier,
    class objectClass: ManagedObject.Type?
  ) {
    let stored = model.storage.tables[entity.name]?.first
    // An abstract entity above those that are stored has the places of none of them.
    let isStored = model.storage.tables[entity.name]?.count == 1
    let table = isStored ? stored.flatMap { catalog.entity(named: $0.table) } : nil
    self.entity = entity
    self.store = store
    self.table = table
    self.objectClass = objectClass ?? ManagedObject.self
    entityField = table?.attribute(named: StoredModel.entityAttribute)?.field
    attributes = entity.attributes.map { attribute in
      AttributePlace(
        description: attribute, field: table?.attribute(named: stored?.name(of: attribute.name) ?? "")?.field)
    }
    relationships = entity.relationships.map { relationship in
      RelationshipPlace(
        description: relationship, stored: table?.relationship(named: stored?.name(of: relationship.name) ?? ""),
        inverse: model.inverse(of: relationship))
    }
    var properties: [String: Property] = [:]
    for (position, attribute) in entity.attributes.enumerated() { properties[attribute.name] = .attribute(position) }
    for (position, relationship) in entity.relationships.enumerated() {
      properties[relationship.name] = .relationship(position)
    }
    self.properties = properties
    var propertiesByField: [FieldIndex: Property] = [:]
    var positions: [RelationshipID: Int] = [:]
    for (position, place) in attributes.enumerated() {
      if let field = place.field { propertiesByField[field] = .attribute(position) }
    }
    for (position, place) in relationships.enumerated() {
      if let field = place.stored?.field { propertiesByField[field] = .relationship(position) }
      if let stored = place.stored { positions[stored.id] = position }
    }
    self.propertiesByField = propertiesByField
    self.positions = positions
  }

  /// - Throws: `ManagedObjectError.unknownProperty`.
  func property(_ name: String) throws(ManagedObjectError) -> Property {
    guard let property = properties[name] else { throw .unknownProperty(entity: entity.name, property: name) }
    return property
  }

  /// The position of a relationship that the entity has.
  func position(of relationship: RelationshipDescription) -> Int? {
    guard case .relationship(let position)? = properties[relationship.name] else { return nil }
    return position
  }

  /// The property that is stored in a field; nil for one that only objects of other entities in the table have.
  func property(at field: FieldIndex) -> Property? { propertiesByField[field] }

  /// The position of a relationship of the store; nil for one that only objects of other entities in the table have.
  func position(of relationship: Relationship) -> Int? { positions[relationship.id] }

  func name(of property: Property) -> String {
    switch property {
    case .attribute(let position): attributes[position].description.name
    case .relationship(let position): relationships[position].description.name
    }
  }

  /// The properties that differ between two records of a row.
  func differences(_ old: Record, _ new: Record) -> [Property] {
    let changedAttributes = attributes.indices.filter { position in
      attributes[position].field.map { old.value($0) != new.value($0) } ?? false
    }
    let changedRelationships = relationships.indices.filter { position in
      relationships[position].stored?.field.map { old.value($0) != new.value($0) } ?? false
    }
    return changedAttributes.map { .attribute($0) } + changedRelationships.map { .relationship($0) }
  }

  /// The to-many relationships among properties that a commit has changed.
  func changedMemberships(in changed: PropertySet) -> [Int] {
    relationships.indices.filter { position in
      relationships[position].stored.map { $0.isToMany && changed.contains($0.propertyIndex) } ?? false
    }
  }
}
