import FoundationEssentials
import Records
import Testing

@testable import SyncEngine

/// A store in memory with what tests do to it: sync JSON, and show rows as text.
struct TestStore {
  let store: RecordStore
  let plans: MappingPlans

  init(
    _ entities: EntityDescription...,
    reader: @escaping @Sendable (_ entity: String, _ attribute: String) -> AttributeReader? = { _, _ in nil }
  ) throws {
    store = try .temporary(schema: StoreSchema(entities: entities))
    plans = MappingPlans(reader: reader)
  }

  init(_ store: RecordStore, plans: MappingPlans) {
    (self.store, self.plans) = (store, plans)
  }

  /// Syncs JSON text: an array is a collection, anything else an item. The closure changes the request.
  @discardableResult
  func sync(
    _ json: String, as entity: String, operations: SyncRelationshipOperations = .all,
    convention: MappingConvention = MappingConvention(), _ adjust: (inout SyncRequest) throws -> Void = { _ in }
  ) throws -> SyncReport {
    let isCollection = json.first == "["
    var request = SyncRequest(
      entity: entity, document: try PayloadDocument(json: Array(json.utf8), rowsAt: PayloadPath()),
      form: isCollection ? .collection : .item,
      convention: convention, operations: operations)
    try adjust(&request)
    return try sync(request)
  }

  /// Syncs JSON text in the scope of a parent: the row with an identity of the relationship's destination.
  @discardableResult
  func sync(
    _ json: String, as entity: String, of parent: String, _ identity: Int64, by relationship: String,
    operations: SyncRelationshipOperations = .all, missing: MissingRows = .delete
  ) throws -> SyncReport {
    let row = try #require(try row(of: parent, identity))
    return try sync(json, as: entity, operations: operations) {
      $0.scope.parent = .init(relationship: relationship, row: row)
      $0.missing = missing
    }
  }

  /// The row with an identity.
  func row(of name: String, _ identity: Int64) throws -> RowNumber? {
    try store.read { snapshot in
      let entity = try #require(snapshot.catalog.entity(named: name))
      return try snapshot.firstRow(where: #require(entity.identityIndex), equals: [.int(identity)])
    }
  }

  @discardableResult
  func sync(_ request: SyncRequest, isCancelled: @escaping @Sendable () -> Bool = { false }) throws -> SyncReport {
    try store.write { try request.run(in: $0, plans: plans, isCancelled: isCancelled) }.result
  }

  /// An entity's rows in the order of their identities, each as `identity: attribute=value relationship=identities`, with
  /// null attributes and empty relationships left out. The members of a to-many relationship are sorted.
  func rows(_ name: String) throws -> [String] {
    try store.read { snapshot in
      guard let entity = snapshot.catalog.entity(named: name) else { return [] }
      var rows: [String] = []
      try snapshot.forEachRecord(of: entity) { row, record in
        var text = identity(of: record, entity) + ":"
        for attribute in entity.attributes where attribute !== entity.identity {
          let value = record.value(attribute.field)
          if value != .null { text += " \(attribute.name)=\(value.reportText)" }
        }
        for relationship in entity.relationships {
          let far =
            relationship.isToMany
            ? try snapshot.members(of: relationship, owner: row)
            : try snapshot.destination(of: relationship, row: row).map { [$0] } ?? []
          guard !far.isEmpty, let destination = snapshot.catalog[relationship.destination] else { continue }
          let identities = try far.compactMap { row in
            try snapshot.withRecord(row, of: destination) { identity(of: $0, destination) }
          }
          text += " \(relationship.name)=\(identities.sorted().joined(separator: ","))"
        }
        rows.append(text)
        return .continue
      }
      return rows.sorted()
    }
  }

  private func identity(of record: RecordView, _ entity: Entity) -> String {
    entity.identity.map { record.value($0.field).reportText } ?? "?"
  }
}

extension EntityDescription {
  /// An entity with a unique `id`.
  static func entity(
    _ name: String, id: AttributeType = .int64, isUnique: Bool = true, _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name,
      attributes: [AttributeDescription(name: "id", type: id, options: isUnique ? .unique : [])] + attributes,
      relationships: relationships, identity: "id")
  }
}

extension AttributeDescription {
  static func required(_ name: String, _ type: AttributeType, key: String? = nil) -> AttributeDescription {
    AttributeDescription(name: name, type: type, remoteKey: key)
  }

  static func optional(_ name: String, _ type: AttributeType, key: String? = nil) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true, remoteKey: key)
  }
}

extension RelationshipDescription {
  static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil, key: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, isToMany: false, isOptional: isOptional, inverse: inverse,
      isInverseExplicit: inverse != nil, deleteRule: deleteRule, remoteKey: key)
  }

  static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, key: String? = nil, deleteRule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, isToMany: true, inverse: inverse, isInverseExplicit: inverse != nil,
      deleteRule: deleteRule, remoteKey: key)
  }
}
