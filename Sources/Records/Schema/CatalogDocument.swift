/// The catalog as it is stored: the schema and the numbers that its names were given, as JSON.
///
/// A number is never given twice, and never changes for as long as what it stands for exists, because keys, records and
/// table names are made of it.
struct CatalogDocument: Codable, Equatable, Sendable {
  var entities: [StoredEntity] = []
  /// The version of the schema, if it had one.
  var schemaVersion: SchemaVersion?
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
    /// The fields that have a form in front of their content; nil when there is none.
    var formedFields: [String]?
    /// The layouts of records from before, the latest first; nil when there is none. At most
    /// `CatalogEvolution.earlierLayoutsMax`.
    var earlierLayouts: [StoredLayout]?
    var description: EntityDescription
    var relationships: [StoredRelationship]
    var indexes: [StoredIndex]
    /// Every property that the entity ever had, by the numbers that the history gives them: the present names, and empty ones
    /// for what is gone.
    var properties: [String]
  }

  /// The layout of records that were written before their entity changed.
  struct StoredLayout: Codable, Equatable, Sendable {
    var version: UInt16
    /// What the fields of such a record hold, in the order in which they lie there.
    var kinds: [FieldKind]
    /// The positions of the fields that have a form in front of their content; nil when there is none.
    var formedFields: [FieldIndex]?
    /// Where each field of the present layout gets its value from.
    var sources: [FieldSource]
  }

  /// The numbers of both directions of a link. An implicit inverse has no entry of its own: only `inverse` names it.
  struct StoredRelationship: Codable, Hashable, Sendable {
    var name: String
    var id: UInt32
    var inverse: UInt32
  }

  struct StoredIndex: Codable, Hashable, Sendable {
    var id: UInt32
    var attributes: [String]
    var isUnique: Bool
  }

  var schema: StoreSchema { StoreSchema(entities: entities.map(\.description)) }

  func entity(named name: String) -> StoredEntity? {
    entities.first { $0.description.name == name }
  }
}
