import Foundation
import Testing

@testable import Sync

@Suite("CD-9.2 Objects are validated when they are saved, and a save says what is wrong with which property")
struct ObjectValidationTests {
  private func context() throws -> ManagedObjectContext {
    let model = try ManagedObjectModel {
      ModelEntity("Owner") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string, isOptional: false, minimum: 2, maximum: 5, regularExpression: "[a-zé]+")
        ModelAttribute("age", .integer16, minimum: 0, maximum: 120)
        ModelRelationship.toMany("pair", "Part", inverse: "owner", minCount: 2, maxCount: 3)
        ModelRelationship.toMany("kept", "Part", inverse: "keeper", deleteRule: .deny)
      }
      ModelEntity("Part") {
        ModelRelationship.toOne("owner", "Owner", inverse: "pair")
        ModelRelationship.toOne("keeper", "Owner", inverse: "kept")
      }
      ModelEntity("Leaf") {
        ModelRelationship.toOne("branch", "Branch", inverse: "leaves", isOptional: false)
      }
      ModelEntity("Branch") {
        ModelRelationship.toMany("leaves", "Leaf", inverse: "branch", isOptional: false)
      }
    }
    return DataStack(model: model, storeType: .inMemory).newBackgroundContext()
  }

  @Test("Values have to be there, within their bounds, and of the right form")
  func attributes() throws {
    let context = try context()
    let owner = try context.make("Owner", ["name": "anna", "age": 3])
    try context.save()
    let refused: [(String, Any?, ValidationError)] = [
      ("name", nil, .missingValue(entity: "Owner", attribute: "name")),
      ("name", "a", .tooSmall(entity: "Owner", attribute: "name", value: "\"a\"", minimum: "2")),
      ("name", "abcdef", .tooLarge(entity: "Owner", attribute: "name", value: "\"abcdef\"", maximum: "5")),
      ("name", "A1", .patternMismatch(entity: "Owner", attribute: "name", value: "\"A1\"", pattern: "[a-zé]+")),
      ("age", -1, .tooSmall(entity: "Owner", attribute: "age", value: "-1", minimum: "0")),
      ("age", 121, .tooLarge(entity: "Owner", attribute: "age", value: "121", maximum: "120")),
    ]
    for (name, value, error) in refused {
      owner[name] = value
      #expect(throws: error) { try context.save() }
      context.rollback()
    }
    for (name, value) in [("name", "ééééé" as Any?), ("age", nil), ("age", 120)] {
      owner[name] = value
      try context.save()
    }
    // A new object is looked at as a whole.
    try context.make("Owner")
    #expect(throws: ValidationError.missingValue(entity: "Owner", attribute: "name")) { try context.save() }
  }

  @Test("Relationships lead to as many objects as they say")
  func counts() throws {
    let context = try context()
    let owner = try context.make("Owner", ["name": "anna"])
    let parts = try (0..<4).map { _ in try context.make("Part") }
    try context.save()
    for (count, error) in [
      (1, ValidationError.tooFewMembers(entity: "Owner", relationship: "pair", count: 1, minimum: 2)),
      (4, .tooManyMembers(entity: "Owner", relationship: "pair", count: 4, maximum: 3)),
    ] {
      // From either side.
      owner["pair"] = Array(parts[..<count])
      #expect(throws: error) { try context.save() }
      context.rollback()
      for part in parts[..<count] { part["owner"] = owner }
      #expect(throws: error) { try context.save() }
      context.rollback()
    }
    for count in [2, 3, 0] {
      owner["pair"] = Array(parts[..<count])
      try context.save()
    }
  }

  @Test("What has to lead somewhere does")
  func required() throws {
    let context = try context()
    let leaf = try context.make("Leaf")
    #expect(throws: ValidationError.missingDestination(entity: "Leaf", relationship: "branch")) { try context.save() }
    let branch = try context.make("Branch", ["leaves": [leaf]])
    try context.save()
    branch["leaves"] = nil
    #expect(throws: ValidationError.self) { try context.save() }
    context.rollback()
    context.delete(branch)
    #expect(throws: ValidationError.deletionDenied(entity: "Branch", relationship: "Leaf.branch", blockerCount: 1)) {
      try context.save()
    }
    #expect(context.deletedObjects == [branch])
    context.delete(leaf)
    try context.save()
    #expect(try context.count(for: FetchRequest(entityName: "Leaf")) == 0)
  }

  @Test("A deletion that a rule denies is refused, unless what stands in its way is deleted too")
  func deny() throws {
    let context = try context()
    let owner = try context.make("Owner", ["name": "anna"])
    let part = try context.make("Part", ["keeper": owner])
    try context.save()
    context.delete(owner)
    #expect(throws: ValidationError.deletionDenied(entity: "Owner", relationship: "Owner.kept", blockerCount: 1)) {
      try context.save()
    }
    context.delete(part)
    try context.save()
    #expect(part.isDeleted && owner.isDeleted)
  }
}
