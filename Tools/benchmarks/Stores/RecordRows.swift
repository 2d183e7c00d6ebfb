import Foundation
import Records

/// The rows of a case as records: entities with an identity, updated through the layer that models stand on.
final class RecordRows: Sendable {
  private let store: RecordStore
  private let entity: Entity
  private let identity: Index
  private let key: Attribute
  private let value: Attribute

  private static let schema = StoreSchema(entities: [
    EntityDescription(
      name: "Row",
      attributes: [
        AttributeDescription(name: "key", type: .data, options: .unique),
        AttributeDescription(name: "value", type: .data),
      ],
      identity: "key")
  ])

  /// The schema above does not say what the case needs of it.
  struct SchemaIncomplete: Error {}

  /// Creates a store and fills it.
  init(at path: String, filledWith rows: RowSource) throws {
    store = try RecordStore(at: path, schema: Self.schema)
    guard let entity = store.catalog.entity(named: "Row"), let identity = entity.identityIndex,
      let key = entity.attribute(named: "key"), let value = entity.attribute(named: "value")
    else { throw SchemaIncomplete() }
    self.entity = entity
    self.identity = identity
    self.key = key
    self.value = value
    try store.write { transaction in
      var builder = RecordBuilder(entity.layout)
      for row in rows.sortedRows() {
        builder.reset()
        builder.setData(key.field, Data(row.key))
        builder.setData(value.field, Data(row.value))
        _ = try transaction.insert(&builder, into: entity)
      }
    }
  }

  deinit {
    store.close()
  }

  /// Finds a row by its identity and replaces its value, in a transaction of its own.
  func update(_ row: Row) throws {
    try store.write { [entity, identity, value] transaction in
      guard let number = try transaction.firstRow(where: identity, equals: [.data(Data(row.key))]) else { return }
      var builder = RecordBuilder(entity.layout)
      _ = try transaction.withRecord(number, of: entity) { builder.load($0) }
      builder.setData(value.field, Data(row.value))
      _ = try transaction.update(number, of: entity, with: &builder)
    }
  }
}
