import Foundation
import Records
import TestSupport
import Testing

@testable import Sync

@Suite("CD-4.4 What predicates ask of a store")
struct PredicateCompilingTests {
  private let world: PredicateWorld
  private let store: RecordStore

  init() throws {
    var random = SplitMix64(seed: 4)
    world = try PredicateWorld(using: &random)
    store = try world.store()
  }

  private func condition(_ format: String, of entity: String = "Person", _ arguments: Any?...) throws -> Condition {
    let predicate = try ObjectPredicate(format: format, argumentArray: arguments)
    return try PredicateCompiler.conditions(predicate, of: entity, in: world.model, store.catalog)[0].condition
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let format: String
    let error: ObjectPredicateError

    var testDescription: String { format }
  }

  private static let refusedPredicates: [Refusal] = [
    Refusal(format: "nam == 'a'", error: .unknownProperty(entity: "Person", property: "nam", path: "nam")),
    Refusal(format: "boss.nam == 'a'", error: .unknownProperty(entity: "Person", property: "nam", path: "boss.nam")),
    Refusal(format: "hours == 1", error: .unknownProperty(entity: "Person", property: "hours", path: "hours")),
    Refusal(
      format: "name.first == 'a'", error: .notARelationship(entity: "Person", attribute: "name", path: "name.first")),
    Refusal(format: "notes.text == 'a'", error: .severalValues(path: "notes.text")),
    Refusal(format: "ANY name == 'a'", error: .singleValue(path: "name")),
    Refusal(format: "age == 'a'", error: .incomparable(comparison: "age == \"a\"", left: "a number", right: "a text")),
    Refusal(format: "name == 5", error: .incomparable(comparison: "name == 5", left: "a text", right: "a number")),
    Refusal(
      format: "born > 'soon'", error: .incomparable(comparison: "born > \"soon\"", left: "a date", right: "a text")),
    Refusal(format: "boss == 5", error: .incomparable(comparison: "boss == 5", left: "an object", right: "a number")),
    Refusal(format: "name == age", error: .incomparable(comparison: "name == age", left: "a text", right: "a number")),
    Refusal(
      format: "age ==[c] 5",
      error: .unsupported(comparison: "age ==[c] 5", reason: "[c] and [d] are for texts, and this is a number")),
    Refusal(
      format: "name ==[d] 'a'",
      error: .unsupported(comparison: "name ==[d] \"a\"", reason: "[d] is possible together with c only")),
    Refusal(
      format: "name LIKE 'a?'",
      error: .unsupported(
        comparison: "name LIKE \"a?\"", reason: "? and a * between two texts are no part of a pattern here")),
    Refusal(
      format: "boss < nil",
      error: .unsupported(comparison: "boss < NULL", reason: "objects are equal or not, and nothing else")),
    Refusal(
      format: "age BETWEEN {1}",
      error: .unsupported(comparison: "age BETWEEN {1}", reason: "BETWEEN needs a list of two values")),
    Refusal(
      format: "ANY notes.size == age",
      error: .unsupported(comparison: "ANY notes.size == age", reason: "members are compared with constants only")),
    Refusal(
      format: "boss.@count > 1",
      error: .unsupported(comparison: "boss.@count", reason: "it is no single to-many relationship")),
    Refusal(
      format: "name + 1 == 2", error: .unsupported(comparison: "(name + 1)", reason: "name is a text and no number")),
  ]

  @Test("CD-12.2 What cannot be asked is an error that names it", arguments: refusedPredicates)
  func refusals(_ sample: Refusal) {
    #expect(throws: sample.error) { try condition(sample.format) }
    #expect("\(sample.error)".hasSuffix("."))
  }

  @Test("CD-12.2 Unknown entities, transient attributes, objects of another entity, and trees that are too deep")
  func otherRefusals() throws {
    #expect(throws: ObjectPredicateError.unknownEntity("None")) { try condition("a == 1", of: "None") }
    let note = ManagedObjectID(entityName: "Note", row: RowNumber(rawValue: 1))
    #expect(throws: ObjectPredicateError.self) { try condition("boss == %@", of: "Person", note) }
    let deep = (0..<500).reduce(ObjectPredicate.constant(true)) { predicate, _ in .not(predicate) }
    #expect(throws: ObjectPredicateError.tooDeep(max: PredicateCompiler.depthMax)) {
      try PredicateCompiler.conditions(deep, of: "Person", in: world.model, store.catalog)
    }
    let model = try ManagedObjectModel {
      ModelEntity("Tag") { ModelAttribute("label", .string, isTransient: true) }
    }
    #expect(throws: ObjectPredicateError.transientAttribute(entity: "Tag", attribute: "label")) {
      try PredicateCompiler.conditions(Key("label") == "a", of: "Tag", in: model, store.catalog)
    }
  }

  @Test("CD-2.8 A sub-entity's objects are some of the rows, and its own attributes are known to it only")
  func subentities() throws {
    let pilots = try store.read { snapshot in
      let condition = try condition("TRUEPREDICATE", of: "Pilot")
      return try snapshot.count(RecordQuery(#require(store.catalog.entity(named: "Person")), where: condition))
    }
    #expect(pilots == world.objects["Person"]?.filter { $0.entity == "Pilot" }.count)
    #expect(pilots > 0 && pilots < 12)
    _ = try condition("hours > 1 AND boss.name == 'a'", of: "Pilot")
  }

  @Test(
    "CD-4.4 Predicates are answered by indexes",
    arguments: [
      ("text == 't5'", "Note: 1 row by the index on text"), ("text BEGINSWITH 't12'", "by the index on text"),
      ("size > 4 AND size < 6", "by the index on size"), ("size IN {1, 2}", "by the index on size"),
      ("author.name == 'a' AND text == 't5'", "by the index on text"), ("text == 't5' OR size == 7", "by the index on"),
    ])
  func indexes(format: String, source: String) throws {
    try store.write { transaction in
      guard let note = transaction.catalog.entity(named: "Note") else { return }
      for number in 0..<500 as Range<Int64> {
        var builder = RecordBuilder(note.layout)
        for attribute in note.attributes {
          builder.set(attribute.field, attribute.name == "text" ? .string("t\(number)") : .int(number))
        }
        _ = try transaction.insert(&builder, into: note)
      }
    }
    let condition = try condition(format, of: "Note")
    let plan = try store.read { snapshot in
      "\(try snapshot.plan(RecordQuery(#require(store.catalog.entity(named: "Note")), where: condition)))"
    }
    #expect(plan.contains(source), "\(plan)")
  }

  @Test("CD-4.4 Texts are read as what they are compared with")
  func literals() throws {
    let model = try ManagedObjectModel {
      ModelEntity("A") {
        ModelAttribute("born", .date)
        ModelAttribute("key", .uuid)
        ModelAttribute("site", .uri)
        ModelAttribute("blob", .transformable)
        ModelAttribute("done", .boolean)
        ModelAttribute("scan", .binaryData)
      }
    }
    let store = try RecordStore.temporary(schema: model.storage.schema)
    defer { store.close() }
    let accepted = [
      "born > '2020-01-01'", "born == '2020-01-01T10:00:00+02:00'", "key == '00000000-0000-4000-8000-000000000000'",
      "site == 'https://example.com'", "site CONTAINS 'example'", "blob == nil", "done == 1", "done == NO",
      "scan.length > 5", "scan == CAST('AAAA', 'NSData')",
    ]
    for format in accepted {
      let predicate = try ObjectPredicate(format: format)
      let conditions = try PredicateCompiler.conditions(predicate, of: "A", in: model, store.catalog)
      let count = try store.read { try $0.count(RecordQuery(conditions[0].entity, where: conditions[0].condition)) }
      #expect(count == 0, "\(format)")
    }
    for format in ["key == 'x'", "blob == 'x'", "done == 2", "scan > CAST('AAAA', 'NSData')"] {
      let predicate = try ObjectPredicate(format: format)
      #expect(throws: ObjectPredicateError.self, "\(format)") {
        try PredicateCompiler.conditions(predicate, of: "A", in: model, store.catalog)
      }
    }
  }

  @Test("CD-12.2 Negations of negations are no tree, however many there are")
  func negations() throws {
    var predicate = Key("age") == 1
    for _ in 0..<200_000 { predicate = !predicate }
    #expect(predicate == (Key("age") == 1))
    #expect(!predicate == .not(Key("age") == 1))
  }
}
