import Foundation
import Records
import Testing

@testable import Sync

@Suite("CD-9.2 What a model says of values and members holds for what a sync stores, too")
struct ObjectCheckTests {
  private func world() throws -> SyncWorld {
    try SyncWorld {
      ModelEntity("Base", isAbstract: true) { ModelAttribute("id", .integer64, minimum: 1, maximum: 99) }
      ModelEntity("Owner", parent: "Base") {
        ModelAttribute("code", .string, minimum: 2, maximum: 5, regularExpression: "[a-zé]+|A(?=1)1")
        ModelAttribute("age", .integer16, isOptional: false, default: 7, minimum: 0, maximum: 120)
        ModelAttribute("seen", .date, minimum: .date(Date(timeIntervalSince1970: 0)))
        ModelRelationship.toMany("parts", "Part", inverse: "owner", minCount: 2, maxCount: 3)
        ModelRelationship.toMany("tags", "Tag", inverse: "owners", isOptional: false)
      }
      ModelEntity("Part") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("owner", "Owner", inverse: "parts")
      }
      ModelEntity("Tag") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("owners", "Owner", inverse: "tags")
      }
    }
  }

  private func owner(_ more: String) -> String { #"[{"id": 1, "tags": [{"id": 1}], \#(more)}]"# }

  @Test(
    "A value beyond its bounds is one that can't be stored",
    arguments: [
      (#""code": "a""#, 1), (#""code": "abcdef""#, 1), (#""code": "A2""#, 1), (#""code": "abc""#, 0),
      (#""code": "ééééé""#, 0), (#""code": "A1""#, 0), (#""code": null"#, 0), (#""age": -1"#, 1), (#""age": 121"#, 1),
      (#""age": "120""#, 0), (#""seen": "1969-12-31""#, 1), (#""seen": "1970-01-01""#, 0), (#""seen": 5"#, 0),
    ])
  func values(_ member: String, _ refusals: Int) throws {
    for isStored in [false, true] {
      let world = try world()
      if isStored { try world.sync(owner(#""code": "old", "age": 5, "seen": 9"#), "Owner") }
      let before = try world.objects("Owner")
      let report = try world.sync(owner(member), "Owner")
      #expect(report.replacedValues.count == refusals, "\(member) \(report)")
      if refusals > 0 {
        #expect(try world.objects("Owner") == (isStored ? before : ["1 age=7 tags=1"]))
        // The same again, as a sync of the same text.
        #expect(try world.sync(owner(member), "Owner").replacedValues.count == refusals)
      }
    }
  }

  @Test("A transformer's result has bounds like any other value")
  func transformed() throws {
    struct Doubled: ValueTransformer {
      func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * 2 } }
    }
    ValueTransformers.register(Doubled(), forName: "ObjectCheckTests.Doubled")
    let world = try SyncWorld {
      ModelEntity("Item") {
        ModelAttribute("id", .integer64)
        ModelAttribute(
          "value", .integer16, maximum: 10, userInfo: ["sync.valueTransformer": "ObjectCheckTests.Doubled"])
      }
    }
    let report = try world.sync(#"[{"id": 1, "value": 5}, {"id": 2, "value": 6}]"#, "Item")
    #expect(try world.objects("Item") == ["1 value=10", "2"])
    #expect(report.replacedValues.map(\.pointer) == ["/1/value"])
  }

  @Test("A primary key beyond its bounds makes the sync fail, because there is no other place for its object")
  func keys() throws {
    let world = try world()
    for id in [0, 100] {
      #expect(throws: ValidationError.self) { try world.sync(#"[{"id": \#(id), "tags": [{"id": 1}]}]"#, "Owner") }
    }
    #expect(try world.count("Owner") == 0)
    #expect(try world.count("Tag") == 0)
  }

  @Test(
    "As many members as the model allows, or nothing is changed",
    arguments: [
      (#"[{"id": 1, "tags": [1], "parts": [{"id": 1}]}]"#, "Owner", "few"),
      (#"[{"id": 1, "tags_ids": [1], "parts_ids": [1, 2, 3, 4]}]"#, "Owner", "many"),
      (#"[{"id": 1, "tags_ids": [1], "parts_ids": []}]"#, "Owner", ""),
      (#"[{"id": 1, "tags_ids": [], "parts_ids": [1, 2]}]"#, "Owner", "few"),
      (#"[{"id": 2}]"#, "Owner", "few"),
      // From the other side, by a deletion, and by a move to another owner.
      (#"[{"id": 1, "owner_id": null}, {"id": 2}, {"id": 3}, {"id": 4}]"#, "Part", "few"),
      (#"[{"id": 2}, {"id": 3}, {"id": 4}]"#, "Part", "few"),
      (#"[{"id": 1}, {"id": 2}, {"id": 3, "owner_id": 1}, {"id": 4}]"#, "Part", ""),
      (#"[{"id": 1}, {"id": 2}, {"id": 3, "owner_id": 1}, {"id": 4, "owner_id": 1}]"#, "Part", "many"),
      (#"[]"#, "Tag", "few"),
    ])
  func members(_ payload: String, _ entity: String, _ problem: String) throws {
    let world = try world()
    try world.sync(#"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]"#, "Part")
    try world.sync(owner(#""parts_ids": [1, 2]"#), "Owner")
    let before = try (world.objects("Owner"), world.objects("Part"), world.objects("Tag"))
    do {
      try world.sync(payload, entity)
      #expect(problem.isEmpty)
    } catch let error as ValidationError {
      switch error {
      case .tooFewMembers: #expect(problem == "few")
      case .tooManyMembers: #expect(problem == "many")
      default: Issue.record(error)
      }
      #expect(try (world.objects("Owner"), world.objects("Part"), world.objects("Tag")) == before)
    }
  }

  @Test("Stored objects that a sync does not touch are not looked at, so an older store can be synced")
  func untouched() throws {
    let world = try world()
    try world.store.write { transaction in
      let table = try #require(transaction.catalog.entity(named: "Base"))
      var builder = RecordBuilder(table.layout)
      for attribute in table.attributes where attribute.name == "id" || attribute.name == StoredModel.entityAttribute {
        builder.set(attribute.field, attribute.name == "id" ? .int(1) : .string("Owner"))
      }
      if let age = table.attribute(named: "Owner.age") { builder.set(age.field, .int(-5)) }
      _ = try transaction.insert(&builder, into: table)
    }
    try world.sync(#"[{"id": 1, "code": "abc"}]"#, "Owner")
    #expect(try world.objects("Owner") == ["1 code=abc age=-5"])
  }
}
