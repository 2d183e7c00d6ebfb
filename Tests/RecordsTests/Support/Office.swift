import Testing

@testable import Records

/// A temporary store with the office schema, closed when it goes.
final class Office: Sendable {
  let store: RecordStore

  init(_ schema: StoreSchema = .office) throws {
    store = try RecordStore.temporary(schema: schema)
  }

  deinit {
    store.close()
  }

  func read<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    try store.read(body)
  }

  func write<Result: Sendable>(_ body: @Sendable (RecordTransaction) throws -> Result) throws -> Result {
    try store.write(body).result
  }
}

extension RecordSnapshot {
  func entity(_ name: String) throws -> Entity {
    try #require(catalog.entity(named: name))
  }

  func relationship(_ entity: String, _ name: String) throws -> Relationship {
    try #require(self.entity(entity).relationship(named: name))
  }
}

extension RecordTransaction {
  func insertPerson(_ id: String, nick: String? = nil) throws -> RowNumber {
    try insert("Person") { builder, person in
      builder.setString(try #require(person.attribute(named: "id")).field, id)
      if let nick { builder.setString(try #require(person.attribute(named: "nick")).field, nick) }
    }
  }

  func insert(
    _ entity: String, _ fill: (inout RecordBuilder, Entity) throws -> Void
  ) throws -> RowNumber {
    let entity = try self.entity(entity)
    var builder = RecordBuilder(entity.layout)
    try fill(&builder, entity)
    return try insert(&builder, into: entity)
  }

  func edit(
    _ entity: String, _ row: RowNumber, _ change: (inout RecordBuilder, Entity) throws -> Void
  ) throws -> PropertySet? {
    let entity = try self.entity(entity)
    var builder = RecordBuilder(entity.layout)
    guard try withRecord(row, of: entity, { builder.load($0) }) != nil else {
      throw RecordError.noSuchRow(entity: entity.name, row: row)
    }
    try change(&builder, entity)
    return try update(row, of: entity, with: &builder)
  }
}
