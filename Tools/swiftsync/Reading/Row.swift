import Records
import SyncEngine

/// A row with everything that its store knows of it.
struct Row {
  let entity: Entity
  let number: RowNumber
  /// How other rows refer to this one.
  let reference: RowReference
  /// The properties that were asked for, in their order.
  let properties: [(property: Property, value: PropertyValue)]

  /// Passes every property to a closure that writes it.
  ///
  /// - Throws: What the closure throws; `UnreadableValue` instead of the `PayloadError` of a composite value that isn't JSON.
  func forEachProperty(_ body: (Property, PropertyValue) throws -> Void) throws {
    for (property, value) in properties {
      do {
        try body(property, value)
      } catch let error as PayloadError {
        throw UnreadableValue(entity: entity.name, row: number, property: property.name, reason: "\(error)")
      }
    }
  }
}

/// What is said of a row instead of its row number, where that is possible: numbers depend on the order of insertion, and
/// mean nothing in another store.
enum RowReference {
  /// The value of the identity attribute, which no other row of the entity has.
  case identity(FieldValue)
  /// For a row whose entity has no identity, or whose identity is null or shared with another row.
  case row(RowNumber)
}

enum PropertyValue {
  case attribute(FieldValue)
  case toOne(RowReference?)
  /// In the order in which the members were assigned.
  case toMany([RowReference])
}

/// An attribute or a relationship of an entity.
enum Property {
  case attribute(Attribute)
  case relationship(Relationship)

  var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }
}

extension Entity {
  /// Attributes and relationships in the order of their declaration.
  var properties: [Property] {
    attributes.map(Property.attribute) + relationships.map(Property.relationship)
  }
}

/// A value that is stored well but is not what its type says.
struct UnreadableValue: Error, Equatable, CustomStringConvertible {
  let entity: String
  let row: RowNumber
  let property: String
  let reason: String

  var description: String {
    "\(entity) row \(row.rawValue) has an unreadable \(property): \(reason)"
  }
}
