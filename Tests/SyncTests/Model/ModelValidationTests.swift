import Testing

@testable import Sync

@Suite("CD-12.2 Contradictions in a model are errors that name entity and property")
struct ModelValidationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let entities: [EntityDescription]
    let error: ModelError

    var testDescription: String { "\(error)" }

    init(_ error: ModelError, @ModelBuilder _ entities: () -> [EntityDescription]) {
      self.entities = entities()
      self.error = error
    }
  }

  private static let marked = ["sync.isPrimaryKey": "YES"]

  private static let cases = [
    Case(.entityWithoutName) { EntityDescription("") },
    Case(.duplicateEntity("A")) {
      EntityDescription("A")
      EntityDescription("A")
    },
    Case(.propertyWithoutName(entity: "A")) { EntityDescription("A") { AttributeDescription("", .date) } },
    Case(.duplicateProperty(entity: "A", property: "b")) {
      EntityDescription("A") {
        AttributeDescription("b", .date)
        RelationshipDescription.toOne("b", "A")
      }
    },
    Case(.propertyHidesInherited(entity: "B", property: "id", ancestor: "A")) {
      EntityDescription("B", parent: "A") { AttributeDescription("id", .string) }
      EntityDescription("A") { AttributeDescription("id", .string) }
    },
    Case(.unknownParent(entity: "A", parent: "None")) { EntityDescription("A", parent: "None") },
    Case(.cycleOfParents(["A", "C", "B", "A"])) {
      EntityDescription("A", parent: "C")
      EntityDescription("B", parent: "A")
      EntityDescription("C", parent: "B")
    },
    Case(.cycleOfParents(["A", "A"])) { EntityDescription("A", parent: "A") },
    Case(.cycleOfParents(["A", "B", "B"])) {
      EntityDescription("A", parent: "B")
      EntityDescription("B", parent: "B")
    },
    Case(.twoPrimaryKeys(entity: "A", first: "x", second: "y")) {
      EntityDescription("A") {
        AttributeDescription("x", .string, userInfo: marked)
        AttributeDescription("y", .string, userInfo: marked)
      }
    },
    Case(.twoPrimaryKeys(entity: "A", first: "id", second: "remoteID")) {
      EntityDescription("A") {
        AttributeDescription("id", .string)
        AttributeDescription("remoteID", .string)
      }
    },
    Case(.unusablePrimaryKey(entity: "A", attribute: "id", type: "Binary")) {
      EntityDescription("A") { AttributeDescription("id", .binaryData, userInfo: ["sync.isPrimaryKey": "YES"]) }
    },
    Case(.unusablePrimaryKey(entity: "A", attribute: "id", type: "transient")) {
      EntityDescription("A") {
        AttributeDescription("id", .string, isTransient: true, userInfo: ["sync.isPrimaryKey": "YES"])
      }
    },
    Case(.valueNotOfType(entity: "A", attribute: "a", value: "\"x\"", type: "Integer 16")) {
      EntityDescription("A") { AttributeDescription("a", .integer16, default: "x") }
    },
    Case(.valueNotOfType(entity: "A", attribute: "a", value: "40000", type: "Integer 16")) {
      EntityDescription("A") { AttributeDescription("a", .integer16, maximum: 40000) }
    },
    Case(.invalidRegularExpression(entity: "A", attribute: "a", pattern: "[")) {
      EntityDescription("A") { AttributeDescription("a", .string, regularExpression: "[") }
    },
    Case(.unknownConstraintAttribute(entity: "A", attribute: "b")) {
      EntityDescription("A", uniquenessConstraints: [["b"]]) { AttributeDescription("a", .string) }
    },
    Case(.unknownConstraintAttribute(entity: "A", attribute: "")) { EntityDescription("A", indexes: [[]]) },
    Case(.unknownDestination(entity: "A", relationship: "r", destination: "None")) {
      EntityDescription("A") { RelationshipDescription.toOne("r", "None") }
    },
    Case(.unknownInverse(entity: "A", relationship: "r", destination: "B", inverse: "none")) {
      EntityDescription("A") { RelationshipDescription.toOne("r", "B", inverse: "none") }
      EntityDescription("B")
    },
    Case(.inverseDoesNotPointBack(entity: "A", relationship: "r", destination: "B", inverse: "s")) {
      EntityDescription("A") { RelationshipDescription.toOne("r", "B", inverse: "s") }
      EntityDescription("B") { RelationshipDescription.toOne("s", "B") }
    },
    Case(.inverseDoesNotPointBack(entity: "A", relationship: "r", destination: "B", inverse: "s")) {
      EntityDescription("A") {
        RelationshipDescription.toOne("r", "B", inverse: "s")
        RelationshipDescription.toOne("q", "B", inverse: "s")
      }
      EntityDescription("B") { RelationshipDescription.toMany("s", "A", inverse: "q") }
    },
    Case(.inverseClaimedTwice(entity: "B", relationship: "s", first: "A.r", second: "A.q")) {
      EntityDescription("A") {
        RelationshipDescription.toOne("r", "B", inverse: "s")
        RelationshipDescription.toOne("q", "B", inverse: "s")
      }
      EntityDescription("B") { RelationshipDescription.toMany("s", "A") }
    },
    Case(.ownInverse(entity: "A", relationship: "r")) {
      EntityDescription("A") { RelationshipDescription.toMany("r", "A", inverse: "r") }
    },
    Case(.impossibleCounts(entity: "A", relationship: "r", minimum: 3, maximum: 2)) {
      EntityDescription("A") { RelationshipDescription.toMany("r", "A", minCount: 3, maxCount: 2) }
    },
    Case(.differentPrimaryKeys(ancestor: "Car", first: "Racecar", second: "Truck")) {
      EntityDescription("Car", isAbstract: true)
      EntityDescription("Racecar", parent: "Car") { AttributeDescription("number", .integer32, userInfo: marked) }
      EntityDescription("Truck", parent: "Car") { AttributeDescription("plate", .string, userInfo: marked) }
      EntityDescription("Garage") { RelationshipDescription.toMany("cars", "Car") }
    },
  ]

  @Test("CD-12.2 The error says what contradicts what", arguments: cases)
  func contradictions(_ sample: Case) {
    #expect(throws: sample.error) { try ManagedObjectModel(entities: sample.entities) }
    #expect("\(sample.error)".hasSuffix(".") && "\(sample.error)".count > 20)
  }

  @Test("CD-9.1 Relationships that agree: one side names the inverse, or an inverse is declared further up")
  func agreement() throws {
    let model = try ManagedObjectModel {
      EntityDescription("User") { RelationshipDescription.toMany("notes", "Note", inverse: "user") }
      EntityDescription("Note") { RelationshipDescription.toOne("user", "User") }
      EntityDescription("Garage") { RelationshipDescription.toMany("racecars", "Racecar", inverse: "garage") }
      EntityDescription("Racecar", parent: "Car")
      EntityDescription("Car") { RelationshipDescription.toOne("garage", "Garage", inverse: "racecars") }
    }
    let user = try #require(model.entity(named: "Note")?.relationship(named: "user"))
    #expect(model.inverse(of: user)?.name == "notes")
    let racecars = try #require(model.entity(named: "Garage")?.relationship(named: "racecars"))
    #expect(model.inverse(of: racecars)?.entityName == "Car")
    try model.storage.schema.validate()
  }

  @Test("A model can be made of the entities of another one")
  func remade() throws {
    let model = try ManagedObjectModel {
      EntityDescription("B", parent: "A") { AttributeDescription("b", .date) }
      EntityDescription("A") { AttributeDescription("id", .string) }
    }
    #expect(try ManagedObjectModel(entities: model.entities) == model)
  }

  @Test("A line of ancestors ends somewhere, and a model with a long one is read at once")
  func ancestors() throws {
    func entities(_ count: Int) -> [EntityDescription] {
      (0..<count).map { EntityDescription("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
    }
    #expect(try ManagedObjectModel(entities: entities(65)).entities.last?.ancestors.count == 64)
    #expect(throws: ModelError.tooManyAncestors(entity: "E65", maximum: 64)) {
      try ManagedObjectModel(entities: entities(3000))
    }
  }

  @Test("CD-2.2 An id that can't be a primary key, and is not marked as one, is an attribute like others")
  func unusableID() throws {
    let model = try ManagedObjectModel {
      ModelEntity("A") { ModelAttribute("id", .boolean) }
      ModelEntity("B") {
        ModelAttribute("id", .binaryData)
        ModelAttribute("remoteID", .integer16)
      }
    }
    #expect(model.entity(named: "A")?.primaryKeyAttribute == nil)
    #expect(model.entity(named: "B")?.localPrimaryKey == "remoteID")
  }
}
