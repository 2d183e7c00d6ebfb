/// The catalog as it is stored: the schema and the numbers that its names were given, as JSON.
///
/// A number is never given twice, and never changes for as long as what it stands for exists, because keys, records and
/// table names are made of it.
struct CatalogDocument: Codable, Equatable, Sendable {
  var entities: [StoredEntity] = []
  var nextEntityID: UInt32 = 1
  var nextRelationshipID: UInt32 = 1
  var nextIndexID: UInt32 = 1

  /// An entity's description with its numbers.
  struct StoredEntity: Codable, Equatable, Sendable {
    var id: UInt32
    /// The version of the record layout, written into each record.
    var layoutVersion: UInt16
    /// The names of the fields of a record, in the order in which they lie there. The order of declarations may change
    /// without any record being touched, because this one does not follow it.
    var fields: [String]
    var description: EntityDescription
    var relationships: [StoredRelationship]
    var indexes: [StoredIndex]
  }

  /// The numbers of both directions of a link. An implicit inverse has no entry of its own: only `inverse` names it.
  struct StoredRelationship: Codable, Equatable, Sendable {
    var name: String
    var id: UInt32
    var inverse: UInt32
  }

  struct StoredIndex: Codable, Equatable, Sendable {
    var id: UInt32
    var attributes: [String]
    var isUnique: Bool
  }

  var schema: StoreSchema { StoreSchema(entities: entities.map(\.description)) }

  func entity(named name: String) -> StoredEntity? {
    entities.first { $0.description.name == name }
  }
}

extension CatalogDocument {
  /// The document after a schema was registered: known entities keep their numbers and take the schema's mapping keys and
  /// delete rules, new entities get numbers, entities that the schema does not name stay as they are, behind the others.
  ///
  /// - Throws: `SchemaError` for a schema that is wrong by itself, `RecordError.schemaMismatch` with every difference when
  ///   an entity that the store knows has another structure in the schema.
  func registering(_ schema: StoreSchema) throws -> CatalogDocument {
    try schema.validate()
    let differences = schema.entities.flatMap { entity in
      self.entity(named: entity.name).map { $0.differences(to: entity, in: schema, stored: self) } ?? []
    }
    if !differences.isEmpty { throw RecordError.schemaMismatch(differences) }

    var result = self
    result.entities = []
    for description in schema.entities {
      if var stored = entity(named: description.name) {
        stored.description = description
        result.entities.append(stored)
      } else {
        result.entities.append(result.numbered(description))
      }
    }
    result.entities += entities.filter { schema.entity(named: $0.description.name) == nil }
    result.pairNewRelationships(in: schema)
    try result.schema.validate()
    return result
  }

  /// An entity that is new to the store, with numbers for everything except the inverses of its relationships.
  private mutating func numbered(_ description: EntityDescription) -> StoredEntity {
    let toOnes = description.relationships.filter { !$0.isToMany }
    return StoredEntity(
      id: take(\.nextEntityID),
      layoutVersion: 1,
      fields: description.attributes.map(\.name) + toOnes.map(\.name),
      description: description,
      relationships: description.relationships.map {
        StoredRelationship(name: $0.name, id: take(\.nextRelationshipID), inverse: 0)
      },
      indexes: description.indexDescriptions.map {
        StoredIndex(id: take(\.nextIndexID), attributes: $0.attributes, isUnique: $0.isUnique)
      })
  }

  /// Gives each relationship that has no inverse yet the number of its declared inverse, or a new one for an implicit
  /// inverse. Only relationships of new entities are in that state.
  private mutating func pairNewRelationships(in schema: StoreSchema) {
    for index in entities.indices {
      for position in entities[index].relationships.indices where entities[index].relationships[position].inverse == 0 {
        let name = entities[index].relationships[position].name
        entities[index].relationships[position].inverse =
          declaredInverse(of: name, in: entities[index].description, schema: schema) ?? take(\.nextRelationshipID)
      }
    }
  }

  private func declaredInverse(of name: String, in entity: EntityDescription, schema: StoreSchema) -> UInt32? {
    guard let relationship = entity.relationships.first(where: { $0.name == name }),
      let inverse = schema.inverseName(of: relationship, in: entity)
    else { return nil }
    return self.entity(named: relationship.destination)?.relationships.first { $0.name == inverse }?.id
  }

  private mutating func take(_ counter: WritableKeyPath<CatalogDocument, UInt32>) -> UInt32 {
    defer { self[keyPath: counter] += 1 }
    return self[keyPath: counter]
  }
}
