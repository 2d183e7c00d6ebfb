import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// A store keeps its schema, compares it with the one that it is opened with, and is readable without any.
@Suite struct SchemaRegistrationTests {
  private static let task = EntityDescription(
    name: "Task",
    attributes: [
      AttributeDescription(name: "id", type: .string, options: .unique),
      AttributeDescription(name: "title", type: .string),
      AttributeDescription(name: "count", type: .int64, isOptional: true),
    ],
    relationships: [
      RelationshipDescription(name: "owner", destination: "User", isToMany: false, inverse: "tasks"),
      RelationshipDescription(name: "watchers", destination: "User", isToMany: true),
    ],
    identity: "id", indexes: [["title"]])
  private static let user = EntityDescription(
    name: "User", attributes: [AttributeDescription(name: "name", type: .string)],
    relationships: [RelationshipDescription(name: "tasks", destination: "Task", isToMany: true, inverse: "owner")])
  private static let schema = StoreSchema(entities: [task, user])

  private func open(_ folder: TemporaryFolder, _ schema: StoreSchema) throws -> RecordStore {
    try RecordStore(at: folder["store"], schema: schema)
  }

  /// Makes a store with the schema and one task in it.
  private func makeStore(_ folder: TemporaryFolder, _ schema: StoreSchema = schema) throws {
    let store = try open(folder, schema)
    defer { store.close() }
    try store.write { transaction in
      _ = try transaction.insert("Task") { builder, task in
        builder.setString(try #require(task.attribute(named: "id")).field, "one")
        builder.setString(try #require(task.attribute(named: "title")).field, "first")
      }
    }
  }

  @Test func mappingIsTakenOverWithoutTouchingRecords() throws {
    let folder = try TemporaryFolder()
    try makeStore(folder)
    var schema = Self.schema
    schema.entities[0].identityRemoteKey = "uuid"
    schema.entities[0].attributes[1].remoteKey = "name"
    schema.entities[0].attributes[1].isExported = false
    schema.entities[0].attributes[1].originalName = "heading"
    schema.entities[0].relationships[0].deleteRule = .cascade
    schema.entities[0].relationships[0].remoteKey = "owner.id"
    let store = try open(folder, schema)
    #expect(store.catalog.schema == schema)
    store.close()
    let reader = try RecordStore(readingAt: folder["store"])
    defer { reader.close() }
    #expect(reader.catalog.schema == schema)
    #expect(try reader.read { try $0.count(of: $0.entity("Task")) } == 1)
  }

  @Test func requiredRelationshipMayBecomeOptional() throws {
    let folder = try TemporaryFolder()
    var schema = Self.schema
    schema.entities[0].relationships[0].isOptional = false
    try open(folder, schema).close()
    try makeStore(folder)
    let store = try open(folder, Self.schema)
    defer { store.close() }
    #expect(try store.read { try $0.count(of: $0.entity("Task")) } == 1)
  }

  @Test func orderOfDeclarationIsNoStructure() throws {
    let folder = try TemporaryFolder()
    try makeStore(folder)
    var schema = Self.schema
    schema.entities.reverse()
    for index in schema.entities.indices {
      schema.entities[index].attributes.reverse()
      schema.entities[index].relationships.reverse()
    }
    let store = try open(folder, schema)
    defer { store.close() }
    try store.read { snapshot in
      let task = try snapshot.entity("Task")
      let title = try #require(task.attribute(named: "title"))
      #expect(title.propertyIndex == 1)
      #expect(task.attributes.map(\.name) == ["count", "title", "id"])
      #expect(try snapshot.withRecord(RowNumber(rawValue: 1), of: task) { $0.string(title.field) } == "first")
    }
  }

  @Test func newEntitiesAreAddedAndKnownOnesKeepTheirNumbers() throws {
    let folder = try TemporaryFolder()
    try makeStore(folder)
    let before = try RecordStore(readingAt: folder["store"]).catalog
    var schema = Self.schema
    schema.entities.insert(
      EntityDescription(
        name: "Label", attributes: [AttributeDescription(name: "text", type: .string, options: .unique)],
        relationships: [RelationshipDescription(name: "tasks", destination: "Task", isToMany: true)]), at: 0)
    let store = try open(folder, schema)
    defer { store.close() }
    #expect(store.catalog.entities.map(\.name) == ["Label", "Task", "User"])
    for name in ["Task", "User"] {
      let old = try #require(before.entity(named: name))
      let new = try #require(store.catalog.entity(named: name))
      #expect(old.id == new.id)
      #expect(old.indexes.map(\.id) == new.indexes.map(\.id))
      #expect(old.relationships.map(\.id) == new.relationships.map(\.id))
    }
    try store.write { transaction in
      let label = try transaction.insert("Label") { builder, _ in builder.setString(0, "urgent") }
      _ = try transaction.setMembers(
        of: transaction.relationship("Label", "tasks"), owner: label, to: [RowNumber(rawValue: 1)])
    }
    #expect(try store.read { try $0.checkInvariants() }.isEmpty)
  }

  @Test func entitiesThatTheSchemaDoesNotNameStayReadable() throws {
    let folder = try TemporaryFolder()
    let label = EntityDescription(name: "Label", attributes: [AttributeDescription(name: "text", type: .string)])
    try makeStore(folder, StoreSchema(entities: [label] + Self.schema.entities))
    let store = try open(folder, StoreSchema(entities: [label]))
    defer { store.close() }
    #expect(store.catalog.entities.map(\.name) == ["Label", "Task", "User"])
    #expect(try store.read { try $0.count(of: $0.entity("Task")) } == 1)
  }

  // MARK: Stores that cannot be opened

  /// Writes into the tables of a store that is closed.
  private func tamper(_ folder: TemporaryFolder, _ body: @Sendable (WriteTransaction, Table) throws -> Void) throws {
    let environment = try Environment(at: folder["store"])
    defer { environment.close() }
    let meta = try environment.table("meta")
    try environment.write { try body($0, meta) }
  }

  @Test func newerFormatIsRefused() throws {
    let folder = try TemporaryFolder()
    try makeStore(folder)
    try tamper(folder) { try $0.put([0, 0, 0, 8], for: Array("format".utf8), in: $1) }
    let error = RecordError.newerFormat(path: folder["store"], found: 8, supported: 4)
    #expect(throws: error) { try open(folder, Self.schema) }
    #expect(throws: error) { try RecordStore(readingAt: folder["store"]) }
  }

  @Test func storeOfOtherContentIsRefused() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder["store"])
    _ = try environment.table("letters")
    environment.close()
    let error = RecordError.notARecordStore(path: folder["store"])
    #expect(throws: error) { try open(folder, Self.schema) }
    #expect(throws: error) { try RecordStore(readingAt: folder["store"]) }
  }

  @Test func emptyStoreIsNotReadable() throws {
    let folder = try TemporaryFolder()
    try Environment(at: folder["store"]).close()
    #expect(throws: RecordError.unfinishedStore(path: folder["store"])) {
      try RecordStore(readingAt: folder["store"])
    }
  }

  @Test func interruptedFirstOpeningIsTakenUpAgain() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder["store"])
    _ = try environment.tables(["meta", "r.1", "x.1"])
    environment.close()
    try makeStore(folder)
    let store = try open(folder, Self.schema)
    #expect(try store.read { try $0.checkInvariants() }.isEmpty)
    store.close()
  }

  @Test(arguments: [
    "", "{", "[]", "{\"entities\":[]}",
    """
    {"entities":[{"id":9,"layoutVersion":1,"fields":[],"description":{"name":"A","attributes":[],"relationships":[],\
    "uniquenessConstraints":[],"indexes":[]},"relationships":[],"indexes":[]}],"nextEntityID":2,"nextRelationshipID":1,\
    "nextIndexID":1}
    """,
    """
    {"entities":[{"id":1,"layoutVersion":1,"fields":["x"],"description":{"name":"A","attributes":[],"relationships":[],\
    "uniquenessConstraints":[],"indexes":[]},"relationships":[],"indexes":[]}],"nextEntityID":2,"nextRelationshipID":1,\
    "nextIndexID":1}
    """,
    """
    {"entities":[{"id":1,"layoutVersion":1,"fields":[],"description":{"name":"A","attributes":[],"relationships":[],\
    "uniquenessConstraints":[],"indexes":[]},"relationships":[],"indexes":[{"id":1,"attributes":["x"],"isUnique":true}]}],\
    "nextEntityID":2,"nextRelationshipID":1,"nextIndexID":2}
    """,
  ])
  func damagedCatalogIsRefused(json: String) throws {
    let folder = try TemporaryFolder()
    try makeStore(folder)
    let catalog = SealedValue.seal(Array(json.utf8), under: MetaKey.catalog)
    try tamper(folder) { try $0.put(catalog, for: MetaKey.catalog, in: $1) }
    for open in [{ try self.open(folder, Self.schema) }, { try RecordStore(readingAt: folder["store"]) }] {
      do {
        _ = try open()
        Issue.record("\(json) was accepted")
      } catch RecordError.damagedCatalog {}
    }
  }

  @Test func changedCatalogIsRefusedThoughItIsSound() throws {
    let folder = try TemporaryFolder()
    try makeStore(folder)
    try tamper(folder) { transaction, meta in
      let catalog = try #require(try transaction.value(for: MetaKey.catalog, in: meta))
      let text = String(decoding: catalog.dropLast(8), as: UTF8.self).replacing("Task", with: "Tusk")
      try transaction.put(Array(text.utf8) + catalog.suffix(8), for: MetaKey.catalog, in: meta)
    }
    #expect(throws: RecordError.damagedCatalog(reason: "Its checksum is wrong.")) {
      try RecordStore(readingAt: folder["store"])
    }
  }

  @Test func everyCatalogRoundTripsAndOneThatIsCutOrChangedNeverTraps() throws {
    let document = try CatalogEvolution(of: CatalogDocument(), to: .office).result
    #expect(try Catalog(document).schema == .office)
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      var changed = document
      let entity = random.below(changed.entities.count)
      switch random.below(8) {
      case 0: changed.entities[entity].id = UInt32(random.below(8))
      case 1: changed.entities[entity].fields.shuffle(using: &random)
      case 2: changed.entities[entity].fields.removeLast()
      case 3: changed.entities[entity].description.attributes.removeLast()
      case 4: changed.entities.remove(at: entity)
      case 5 where !changed.entities[entity].relationships.isEmpty:
        changed.entities[entity].relationships[0].inverse = UInt32(random.below(20))
      case 6 where !changed.entities[entity].indexes.isEmpty:
        changed.entities[entity].indexes[0].attributes = ["id"]
      default: changed.nextRelationshipID = UInt32(random.below(30))
      }
      do {
        let catalog = try Catalog(changed)
        for direction in catalog.directions { #expect(catalog.inverse(of: direction).inverseSlot == direction.slot) }
      } catch is RecordError {}
    }
  }
}
