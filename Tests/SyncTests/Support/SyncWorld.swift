import Foundation
import Records
import SyncEngine
import Testing

@testable import Sync

/// A store in memory of a model, with what tests do to it: sync JSON, and show objects as text.
struct SyncWorld {
  let model: ManagedObjectModel
  let store: RecordStore
  private let sync: EntitySync

  init(unreadableValues: UnreadableValuePolicy = .keep, @ModelBuilder _ entities: () -> [ModelEntity]) throws {
    model = try ManagedObjectModel(entities: entities())
    store = try .temporary(schema: model.storage.schema)
    sync = EntitySync(model, unreadableValues: unreadableValues)
  }

  /// Syncs JSON text: an array is a collection, anything else an item.
  @discardableResult
  func sync(
    _ json: String, _ entity: String, where predicate: ObjectPredicate? = nil, parent: ManagedObjectID? = nil,
    by relationship: String? = nil, _ operations: Sync.OperationOptions = .all
  ) throws -> SyncReport {
    let document = try PayloadDocument(json: Array(json.utf8))
    return try run(
      EntitySyncRequest(
        entity: entity, document: document, form: json.first == "[" ? .collection : .item, predicate: predicate,
        parent: parent, parentRelationship: relationship, operations: operations))
  }

  /// Syncs dictionaries.
  @discardableResult
  func sync(values: [[String: Any]], _ entity: String) throws -> SyncReport {
    try run(EntitySyncRequest(entity: entity, document: PayloadDocument(values)))
  }

  @discardableResult
  func run(_ request: EntitySyncRequest) throws -> SyncReport {
    try store.write { try sync.run(request, in: $0) }.result
  }

  /// Reads attributes without a sync.
  func attributes(_ json: String, _ entity: String) throws -> ReadAttributes {
    try sync.attributes(of: PayloadDocument(json: Array(json.utf8)), as: entity, in: store.catalog)
  }

  /// Runs a sync as the application does, in a transaction of its own.
  @discardableResult
  func runAlone(_ request: EntitySyncRequest) async throws -> SyncReport {
    try await sync.run(request, in: store, author: nil)
  }

  /// The object of an entity with a key, as its text.
  func object(_ entity: String, _ key: String) throws -> ManagedObjectID {
    var found: ManagedObjectID?
    try forEachObject(of: entity) { row, record, view in
      if view.key(of: record) == key, found == nil { found = ManagedObjectID(entityName: entity, row: row) }
    }
    return try #require(found, "\(entity) \(key)")
  }

  /// An entity's objects, each as `key attribute=value relationship=keys`, without what is null or empty, in the order of these
  /// texts. The members of a relationship are in their order if they have one.
  func objects(_ entity: String) throws -> [String] {
    var texts: [String] = []
    try forEachObject(of: entity) { row, record, view in
      var text = view.key(of: record)
      let key = view.entity.localPrimaryKey
      for attribute in view.entity.attributes where attribute.name != key && attribute.type != .transformable {
        guard let stored = view.table.attribute(named: view.stored.name(of: attribute.name)) else { continue }
        let value = record.value(stored.field)
        if value != .null { text += " \(attribute.name)=\(value.reportText)" }
      }
      for relationship in view.entity.relationships {
        let far = try view.far(of: relationship, row: row)
        if far.isEmpty { continue }
        let keys = try far.map { try view.key(ofFar: $0, by: relationship) }
        text += " \(relationship.name)=\((relationship.isOrdered ? keys : keys.sorted()).joined(separator: ","))"
      }
      texts.append(text)
    }
    return texts.sorted()
  }

  /// The value of a transformable attribute of the only object of an entity.
  func transformed(_ entity: String, _ attribute: String) throws -> Any? {
    var value: Any?
    try forEachObject(of: entity) { _, record, view in
      guard let stored = view.table.attribute(named: view.stored.name(of: attribute)) else { return }
      value = TransformedValue.decode(record.value(stored.field))
    }
    return value
  }

  /// How many objects an entity has, those of its sub-entities included.
  func count(_ entity: String) throws -> Int { try objects(entity).count }

  private func forEachObject(
    of name: String, _ body: (RowNumber, RecordView, EntityView) throws -> Void
  ) throws {
    try store.read { snapshot in
      for (table, condition) in try PredicateCompiler.conditions(nil, of: name, in: model, snapshot.catalog) {
        let view = try EntityView(name, table: table.name, model, snapshot)
        for row in try snapshot.rows(snapshot.plan(RecordQuery(table, where: condition))) {
          _ = try snapshot.withRecord(row, of: table) { try body(row, $0, view) }
        }
      }
    }
  }
}

/// The rows of one table as objects of an entity.
private struct EntityView {
  let entity: ModelEntity
  let stored: StoredEntity
  let table: Entity
  let model: ManagedObjectModel
  let snapshot: RecordSnapshot

  init(_ name: String, table: String, _ model: ManagedObjectModel, _ snapshot: RecordSnapshot) throws {
    entity = try #require(model.entity(named: name))
    stored = try #require(model.storage.tables[name]?.first { $0.table == table })
    self.table = try #require(snapshot.catalog.entity(named: table))
    self.model = model
    self.snapshot = snapshot
  }

  func key(of record: RecordView) -> String {
    let key = table.identity.map { record.value($0.field).reportText } ?? ""
    return key.isEmpty ? "?" : key
  }

  func far(of relationship: ModelRelationship, row: RowNumber) throws -> [RowNumber] {
    guard let found = table.relationship(named: stored.name(of: relationship.name)) else { return [] }
    if found.isToMany { return try snapshot.members(of: found, owner: row) }
    return try snapshot.destination(of: found, row: row).map { [$0] } ?? []
  }

  func key(ofFar row: RowNumber, by relationship: ModelRelationship) throws -> String {
    let table = try #require(model.storage.tables[relationship.destination]?.first?.table)
    let view = try EntityView(relationship.destination, table: table, model, snapshot)
    return try snapshot.withRecord(row, of: view.table) { view.key(of: $0) } ?? "gone"
  }
}

extension Error {
  /// The error as its sentence.
  var text: String { "\(self)" }
}
