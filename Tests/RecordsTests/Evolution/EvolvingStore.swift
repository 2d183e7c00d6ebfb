import Foundation
import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// A store that is opened with one schema after another.
final class EvolvingStore: Sendable {
  let folder: TemporaryFolder
  private let name: String

  init() throws {
    folder = try TemporaryFolder()
    name = "store"
  }

  /// Another store in a folder.
  init(_ folder: TemporaryFolder, _ name: String) throws {
    self.folder = folder
    self.name = name
  }

  func open(_ schema: StoreSchema) throws -> RecordStore {
    try RecordStore(at: folder[name], schema: schema)
  }

  func open(_ goal: SchemaGoal) throws -> RecordStore {
    try RecordStore(at: folder[name], reaching: goal)
  }

  func with<Result>(_ schema: StoreSchema, _ body: (RecordStore) throws -> Result) throws -> Result {
    let store = try open(schema)
    defer { store.close() }
    return try body(store)
  }

  /// Everything that is in the tables, to be compared before and after an attempt.
  func contents() throws -> [String: [[UInt8]]] {
    let environment = try Environment(at: folder[name])
    defer { environment.close() }
    var result: [String: [[UInt8]]] = [:]
    for name in try environment.tableNames() {
      let table = try environment.table(name)
      var entries: [[UInt8]] = []
      try environment.read { snapshot in
        try snapshot.scan(table) { key, value in
          entries += [[UInt8](key), [UInt8](value)]
          return .continue
        }
      }
      // Tables may have been made for what was undone, and stay empty.
      if !entries.isEmpty { result[name] = entries }
    }
    return result
  }
}

extension RecordStore {
  func violations() throws -> [InvariantViolation] {
    try read { try $0.checkInvariants() }
  }

  func rows(_ entity: String) throws -> [UInt64: Row] {
    try read { try $0.rows(entity) }
  }

  func rows(_ entity: String, inOrderOf attributes: [String]) throws -> [UInt64] {
    try read { try $0.rows(entity, inOrderOf: attributes) }
  }
}

/// A row as texts by property: attributes as messages show them, relationships as the `name` of what they lead to.
typealias Row = [String: String]

extension RecordSnapshot {
  /// All rows of an entity, by their number.
  func rows(_ entity: String) throws -> [UInt64: Row] {
    let entity = try self.entity(entity)
    var result: [UInt64: Row] = [:]
    try forEachRecord(of: entity) { number, record in
      var row: Row = [:]
      for attribute in entity.attributes { row[attribute.name] = record.value(attribute.field).text }
      result[number.rawValue] = row
      return .continue
    }
    for number in result.keys {
      for relationship in entity.relationships {
        let owner = RowNumber(rawValue: number)
        let far =
          relationship.isToMany
          ? try members(of: relationship, owner: owner)
          : [try destination(of: relationship, row: owner)].compactMap { $0 }
        result[number]?[relationship.name] = far.map { "\($0.rawValue)" }.joined(separator: " ")
      }
    }
    return result
  }

  /// Every row of an entity as one text, in the order of an index.
  func rows(_ entity: String, inOrderOf attributes: [String]) throws -> [UInt64] {
    let entity = try self.entity(entity)
    let index = try #require(entity.indexes.first { $0.attributes.map(\.name) == attributes })
    var result: [UInt64] = []
    try forEachRecord(of: entity, inOrderOf: index) { row, _ in
      result.append(row.rawValue)
      return .continue
    }
    return result
  }
}

extension RecordTransaction {
  /// Adds a row with some values; relationships are row numbers.
  @discardableResult
  func add(_ entity: String, _ values: [String: FieldValue]) throws -> RowNumber {
    try insert(entity) { builder, entity in
      for (name, value) in values {
        let field = try #require(entity.attribute(named: name)?.field ?? entity.relationship(named: name)?.field)
        let isSet = builder.set(field, value)
        #expect(isSet)
      }
    }
  }

  /// Writes every row of an entity anew, with the values that it has.
  func rewriteRows(of entity: Entity) throws {
    var rows: [(RowNumber, [UInt8])] = []
    try forEachRecord(of: entity) { row, record in
      rows.append((row, [UInt8](record.bytes)))
      return .continue
    }
    for (row, bytes) in rows {
      try row.rawValue.withBytes { key in
        try bytes.withUnsafeBytes { try transaction.put($0, for: key, in: tables.records[entity.slot]) }
      }
    }
  }
}

/// A change of a schema that a store follows.
struct Evolution: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var before: StoreSchema
  var after: StoreSchema
  var fill: @Sendable (RecordTransaction) throws -> Void
  /// The rows afterwards, by entity.
  var rows: [String: [UInt64: Row]]
  /// The rows in the order of indexes, by entity and attributes.
  var orders: [[String]: [UInt64]] = [:]

  /// The rows are the same before and after they are written anew, everything in the store agrees with everything else, and
  /// nothing is left when they are deleted.
  func check() throws {
    let folder = try EvolvingStore()
    try folder.with(before) { store in _ = try store.write { try fill($0) } }
    try folder.with(after) { try check($0) }
    let before = try folder.contents()
    try folder.with(after) { store in
      try check(store)
      _ = try store.write { transaction in
        for entity in transaction.catalog.entities { try transaction.rewriteRows(of: entity) }
      }
      try check(store)
    }
    #expect(try folder.contents()["meta"] == before["meta"])
    try folder.with(after) { try deleteAll(of: $0) }
  }

  /// Rows of earlier layouts can be deleted as they are.
  func checkDeletion() throws {
    let folder = try EvolvingStore()
    try folder.with(before) { store in _ = try store.write { try fill($0) } }
    try folder.with(after) { try deleteAll(of: $0) }
  }

  private func check(_ store: RecordStore) throws {
    #expect(try store.violations() == [])
    for (entity, expected) in rows { #expect(try store.rows(entity) == expected) }
    for (index, expected) in orders {
      #expect(try store.rows(index[0], inOrderOf: Array(index.dropFirst())) == expected)
    }
  }

  private func deleteAll(of store: RecordStore) throws {
    _ = try store.write { transaction in
      for entity in transaction.catalog.entities {
        for row in try transaction.rows(entity.name).keys.sorted() {
          _ = try transaction.delete(RowNumber(rawValue: row), of: entity)
        }
      }
    }
    let entries = try store.read { snapshot in
      let tables = snapshot.tables.indexes + snapshot.tables.links.compactMap { $0 }
      return try tables.map { try snapshot.snapshot.count(in: $0) }
    }
    #expect(try store.violations() == [])
    #expect(entries.allSatisfy { $0 == 0 })
  }
}
