import TestSupport
import Testing

@testable import Records

/// A store that is open while somebody else gives it another schema says so, instead of misreading it.
@Suite struct SchemaChangedTests {
  private static let task = EntityDescription(
    name: "Task", attributes: [AttributeDescription(name: "id", type: .int64)], identity: "id")
  private static let note = EntityDescription(
    name: "Note", attributes: [AttributeDescription(name: "text", type: .string)])

  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isNoticed: Bool
    var schema: StoreSchema

    init(_ name: String, isNoticed: Bool, _ change: (inout EntityDescription) -> Void, others: [EntityDescription] = [])
    {
      testDescription = name
      self.isNoticed = isNoticed
      var task = SchemaChangedTests.task
      change(&task)
      schema = StoreSchema(entities: [task] + others)
    }
  }

  static let changes: [Change] = [
    Change("nothing", isNoticed: false, { _ in }),
    Change("a payload key", isNoticed: false, { $0.attributes[0].remoteKey = "key" }),
    Change("an entity that is not linked", isNoticed: false, { _ in }, others: [note]),
    Change(
      "an entity that is linked", isNoticed: true, { _ in },
      others: [
        EntityDescription(
          name: "Note", attributes: note.attributes,
          relationships: [RelationshipDescription(name: "task", destination: "Task", isToMany: false)])
      ]),
    Change(
      "a relationship", isNoticed: true,
      {
        $0.relationships = [RelationshipDescription(name: "next", destination: "Task", isToMany: true)]
      }),
    Change(
      "an attribute", isNoticed: true,
      {
        $0.attributes.append(AttributeDescription(name: "done", type: .bool, defaultValue: .bool(true)))
      }),
    Change(
      "a name", isNoticed: true,
      {
        $0.attributes[0] = AttributeDescription(name: "number", type: .int64, originalName: "id")
        $0.identity = "number"
      }),
    Change("an index", isNoticed: true, { $0.uniquenessConstraints = [["id"]] }),
    Change("optionality", isNoticed: true, { $0.attributes[0].isOptional = true }),
  ]

  @Test(arguments: changes)
  func handlesWithTheOldSchema(change: Change) throws {
    let folder = try EvolvingStore()
    let writer = try folder.open(StoreSchema(entities: [Self.task]))
    defer { writer.close() }
    try writer.write { try $0.add("Task", ["id": .int(1)]) }
    let reader = try RecordStore(readingAt: writer.environment.directory)
    defer { reader.close() }
    #expect(try reader.rows("Task") == [1: ["id": "1"]])
    let other = try folder.open(change.schema)
    defer { other.close() }
    if change.isNoticed {
      let error = RecordError.schemaChanged(path: writer.environment.directory)
      #expect(throws: error) { try reader.rows("Task") }
      #expect(throws: error) { try writer.rows("Task") }
      #expect(throws: error) { try writer.write { try $0.add("Task", ["id": .int(2)]) } }
    } else {
      try writer.write { try $0.add("Task", ["id": .int(2)]) }
      #expect(try reader.rows("Task").count == 2)
    }
    #expect(try other.violations() == [])
  }
}
