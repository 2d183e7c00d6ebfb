import Foundation
import Records
import TestSupport

@testable import Sync

/// People, their notes and the notes' tags, in memory: what stores are filled with and predicates are asked of one by one.
struct PredicateWorld {
  struct Object {
    var entity: String
    var values: [String: AttributeValue] = [:]
    /// The positions at the far ends of relationships.
    var links: [String: [Int]] = [:]
  }

  let model: ManagedObjectModel
  /// By the name of the store's entity. Row numbers are positions plus one.
  private(set) var objects: [String: [Object]] = [:]

  init(using random: inout SplitMix64) throws {
    model = try ManagedObjectModel {
      ModelEntity("Person") {
        ModelAttribute("name", .string)
        ModelAttribute("age", .integer16)
        ModelAttribute("score", .double)
        ModelAttribute("done", .boolean)
        ModelAttribute("born", .date)
        ModelRelationship.toMany("notes", "Note", inverse: "author")
        ModelRelationship.toOne("boss", "Person", inverse: "staff")
        ModelRelationship.toMany("staff", "Person", inverse: "boss")
      }
      ModelEntity("Pilot", parent: "Person") { ModelAttribute("hours", .integer32, isIndexed: true) }
      ModelEntity("Note") {
        ModelAttribute("text", .string, isIndexed: true)
        ModelAttribute("size", .integer64, isIndexed: true)
        ModelRelationship.toOne("author", "Person", inverse: "notes")
        ModelRelationship.toMany("tags", "Tag", inverse: "notes")
      }
      ModelEntity("Tag") {
        ModelAttribute("label", .string)
        ModelRelationship.toMany("notes", "Note", inverse: "tags")
      }
    }
    let people = (0..<12).map { _ in person(&random) }
    let notes = (0..<20).map { _ in
      Object(
        entity: "Note", values: values(["text": .string, "size": .integer64], &random),
        links: ["tags": [], "author": []])
    }
    let tags = (0..<4).map { _ in
      Object(entity: "Tag", values: values(["label": .string], &random), links: ["notes": []])
    }
    objects = ["Person": people, "Note": notes, "Tag": tags]
    for position in people.indices where random.chance(60) {
      link("Person", position, "boss", "Person", random.below(people.count), "staff")
    }
    for position in notes.indices {
      if random.chance(70) { link("Note", position, "author", "Person", random.below(people.count), "notes") }
      for tag in tags.indices where random.chance(30) { link("Note", position, "tags", "Tag", tag, "notes") }
    }
  }

  private func person(_ random: inout SplitMix64) -> Object {
    var types: [String: ModelAttribute.AttributeType] = [
      "name": .string, "age": .integer16, "score": .double, "done": .boolean, "born": .date,
    ]
    let isPilot = random.chance(40)
    if isPilot { types["hours"] = .integer32 }
    return Object(
      entity: isPilot ? "Pilot" : "Person", values: values(types, &random),
      links: ["notes": [], "boss": [], "staff": []])
  }

  private func values(
    _ types: [String: ModelAttribute.AttributeType], _ random: inout SplitMix64
  ) -> [String: AttributeValue] {
    var result: [String: AttributeValue] = [:]
    for (name, type) in types.sorted(by: { $0.key < $1.key }) where random.chance(80) {
      result[name] = PredicateWorld.value(of: type, &random)
    }
    return result
  }

  private mutating func link(
    _ entity: String, _ position: Int, _ name: String, _ otherEntity: String, _ other: Int, _ inverse: String
  ) {
    objects[entity]?[position].links[name, default: []].append(other)
    objects[otherEntity]?[other].links[inverse, default: []].append(position)
  }

  /// A value out of few, so that predicates find some.
  static func value(of type: ModelAttribute.AttributeType, _ random: inout SplitMix64) -> AttributeValue {
    switch type {
    case .string: .string(random.pick(["a", "A", "b", "ab", "é", "e", "aB", "", "ba"]) ?? "")
    case .boolean: .boolean(random.chance(50))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(random.below(5)) * 86_400.5))
    case .double: .double(Double(random.below(6)) / 2 - 1)
    default: .integer(Int64(random.below(6)) - 1)
    }
  }

  /// A store with these objects.
  func store() throws -> RecordStore {
    let store = try RecordStore.temporary(schema: model.storage.schema)
    let world = self
    try store.write { transaction in
      for (name, objects) in world.objects {
        guard let table = store.catalog.entity(named: name) else { continue }
        for object in objects { try world.insert(object, into: table, transaction) }
      }
      for (name, objects) in world.objects {
        guard let table = store.catalog.entity(named: name) else { continue }
        for (position, object) in objects.enumerated() {
          for relationship in table.relationships where relationship.isToMany {
            let members = (object.links[relationship.name] ?? []).map { RowNumber(rawValue: UInt64($0 + 1)) }
            _ = try transaction.setMembers(
              of: relationship, owner: RowNumber(rawValue: UInt64(position + 1)), to: members.sorted())
          }
        }
      }
    }
    return store
  }

  private func insert(_ object: Object, into table: Entity, _ transaction: RecordTransaction) throws {
    var builder = RecordBuilder(table.layout)
    let stored = model.storage.tables[object.entity]?.first
    for (name, value) in object.values {
      guard let attribute = table.attribute(named: stored?.name(of: name) ?? name),
        let type = model.entity(named: object.entity)?.attribute(named: name)?.type
      else { continue }
      builder.set(attribute.field, value.fieldValue(as: type) ?? .null)
    }
    if let attribute = table.attribute(named: StoredModel.entityAttribute) {
      builder.set(attribute.field, .string(object.entity))
    }
    _ = try transaction.insert(&builder, into: table)
  }
}
