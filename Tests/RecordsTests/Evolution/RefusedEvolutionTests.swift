import Foundation
import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// What cannot be carried over is refused with everything that is in the way, and the store stays as it was.
@Suite struct RefusedEvolutionTests {
  private static let before = StoreSchema(entities: [
    EntityDescription(
      name: "Task",
      attributes: [
        AttributeDescription(name: "id", type: .int64, options: .unique),
        AttributeDescription(name: "title", type: .string, isOptional: true),
        AttributeDescription(name: "weight", type: .double),
      ],
      relationships: [
        RelationshipDescription(name: "owner", destination: "User", isToMany: false),
        RelationshipDescription(name: "watchers", destination: "User", isToMany: true, inverse: "watched"),
        RelationshipDescription(name: "readers", destination: "User", isToMany: true, inverse: "reading"),
      ], identity: "id", indexes: [["title"]]),
    EntityDescription(
      name: "User", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(name: "watched", destination: "Task", isToMany: true),
        RelationshipDescription(name: "reading", destination: "Task", isToMany: true),
        RelationshipDescription(name: "liked", destination: "Task", isToMany: true),
      ]),
  ])

  private static func fill(_ store: RecordStore) throws {
    _ = try store.write { transaction in
      try transaction.add("User", ["name": .string("ann")])
      try transaction.add("Task", ["id": .int(1), "title": .string("one"), "weight": .double(1.5), "owner": .uint(1)])
      try transaction.add("Task", ["id": .int(2), "weight": .double(2)])
      try transaction.add("Task", ["id": .int(3), "title": .string("one"), "weight": .double(2)])
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var error: RecordError
    var change: @Sendable (inout StoreSchema) -> Void

    init(_ name: String, _ error: RecordError, _ change: @escaping @Sendable (inout StoreSchema) -> Void) {
      testDescription = name
      self.error = error
      self.change = change
    }

    init(
      _ name: String, _ differences: [SchemaDifference], _ change: @escaping @Sendable (inout StoreSchema) -> Void
    ) {
      self.init(name, .schemaMismatch(differences), change)
    }
  }

  static let refusals: [Refusal] = [
    Refusal(
      "a type of other values",
      [.attributeTypeChanged(entity: "Task", attribute: "title", stored: .string, given: .int64)]
    ) { $0.entities[0].attributes[1].type = .int64 },
    Refusal(
      "a narrower type", [.attributeTypeChanged(entity: "Task", attribute: "id", stored: .int64, given: .int32)]
    ) { $0.entities[0].attributes[0].type = .int32 },
    Refusal("a required attribute without a default", [.defaultMissing(entity: "Task", attribute: "new")]) {
      $0.entities[0].attributes.append(AttributeDescription(name: "new", type: .bool))
    },
    Refusal("a default of another type", [.defaultMissing(entity: "Task", attribute: "new")]) {
      $0.entities[0].attributes.append(
        AttributeDescription(name: "new", type: .bool, defaultValue: .string("yes")))
    },
    Refusal(
      "an attribute that a row has no value for",
      [.valueMissing(entity: "Task", attribute: "title", row: RowNumber(rawValue: 2))]
    ) { $0.entities[0].attributes[1].isOptional = false },
    Refusal(
      "a relationship that a row has no destination for",
      [.destinationMissing(entity: "Task", relationship: "owner", row: RowNumber(rawValue: 2))]
    ) { $0.entities[0].relationships[0].isOptional = false },
    Refusal(
      "a required relationship is added",
      [.destinationMissing(entity: "Task", relationship: "author", row: RowNumber(rawValue: 1))]
    ) {
      $0.entities[0].relationships.append(
        RelationshipDescription(name: "author", destination: "User", isToMany: false, isOptional: false))
    },
    Refusal(
      "another destination",
      [.destinationChanged(entity: "Task", relationship: "owner", stored: "User", given: "Task")]
    ) { $0.entities[0].relationships[0].destination = "Task" },
    Refusal(
      "inverses are exchanged",
      [
        .inverseChanged(entity: "Task", relationship: "watchers", stored: "watched", given: "reading"),
        .inverseChanged(entity: "Task", relationship: "readers", stored: "reading", given: "watched"),
      ]
    ) {
      $0.entities[0].relationships[1].inverse = "reading"
      $0.entities[0].relationships[2].inverse = "watched"
    },
    Refusal(
      "two relationships become each other's inverses",
      [.inverseChanged(entity: "Task", relationship: "owner", stored: nil, given: "liked")]
    ) { $0.entities[1].relationships[2].inverse = "owner" },
    Refusal(
      "an attribute becomes a relationship, and the reverse",
      [
        .attributeBecameRelationship(entity: "Task", property: "title"),
        .relationshipBecameAttribute(entity: "Task", property: "owner"),
      ]
    ) {
      $0.entities[0].attributes[1] = AttributeDescription(name: "owner", type: .string, isOptional: true)
      $0.entities[0].relationships[0] = RelationshipDescription(name: "title", destination: "User", isToMany: false)
      $0.entities[0].indexes = []
    },
    Refusal(
      "a unique constraint over duplicates",
      .uniqueConflict(
        entity: "Task", attributes: ["title"], value: "\"one\"", row: RowNumber(rawValue: 1),
        otherRow: RowNumber(rawValue: 3))
    ) { $0.entities[0].uniquenessConstraints = [["title"]] },
    Refusal(
      "a unique constraint over a default",
      .uniqueConflict(
        entity: "Task", attributes: ["new"], value: "7", row: RowNumber(rawValue: 1), otherRow: RowNumber(rawValue: 2))
    ) {
      $0.entities[0].attributes.append(
        AttributeDescription(name: "new", type: .int8, options: .unique, defaultValue: .int(7)))
    },
    Refusal(
      "several at once, of what declarations tell",
      [
        .destinationChanged(entity: "Task", relationship: "owner", stored: "User", given: "Task"),
        .attributeTypeChanged(entity: "Task", attribute: "weight", stored: .double, given: .string),
        .attributeTypeChanged(entity: "User", attribute: "name", stored: .string, given: .url),
      ]
    ) {
      $0.entities[0].attributes[2].type = .string
      $0.entities[0].relationships[0].destination = "Task"
      $0.entities[1].attributes[0].type = .url
    },
    Refusal(
      "several at once, of what rows tell",
      [
        .valueMissing(entity: "Task", attribute: "title", row: RowNumber(rawValue: 2)),
        .defaultMissing(entity: "Task", attribute: "new"),
        .defaultMissing(entity: "User", attribute: "age"),
      ]
    ) {
      $0.entities[0].attributes[1].isOptional = false
      $0.entities[0].attributes.append(AttributeDescription(name: "new", type: .bool))
      $0.entities[1].attributes.append(AttributeDescription(name: "age", type: .int8))
    },
  ]

  @Test(arguments: refusals)
  func storeStaysAsItWas(refusal: Refusal) throws {
    let folder = try EvolvingStore()
    try folder.with(Self.before) { try Self.fill($0) }
    let contents = try folder.contents()
    var schema = Self.before
    refusal.change(&schema)
    for _ in 0..<2 {
      #expect(throws: refusal.error) { try folder.open(schema) }
      #expect(try folder.contents() == contents)
    }
    try folder.with(Self.before) { (store) throws in
      #expect(try store.violations() == [])
      #expect(store.catalog.schema == Self.before)
    }
  }

  /// What rows are in the way of is possible where there are none.
  @Test(
    arguments: refusals.filter { refusal in
      guard case .schemaMismatch(let differences) = refusal.error else { return true }
      return differences.allSatisfy {
        switch $0 {
        case .defaultMissing, .valueMissing, .destinationMissing: true
        default: false
        }
      }
    })
  func emptyStoreFollows(refusal: Refusal) throws {
    let folder = try EvolvingStore()
    try folder.open(Self.before).close()
    var schema = Self.before
    refusal.change(&schema)
    try folder.with(schema) { (store) throws in
      #expect(try store.violations() == [])
      #expect(try store.rows("Task") == [:])
    }
  }

  /// Every error is a sentence that names what it is about.
  @Test func differencesAreSentences() {
    for case .schemaMismatch(let differences) in Self.refusals.map(\.error) {
      for difference in differences {
        #expect(difference.description.hasSuffix("."))
        #expect(difference.description.contains("Task.") || difference.description.contains("User."))
      }
    }
  }

  /// With leave to replace, what cannot be carried over is made anew, without its values.
  @Test func propertiesAreReplacedWithLeave() throws {
    var changed = Self.before
    changed.entities[0].attributes[1].type = .int64
    changed.entities[0].relationships[0].destination = "Task"
    changed.entities[0].relationships[1].inverse = "reading"
    changed.entities[0].relationships[2].inverse = "watched"
    let document = try CatalogEvolution(of: CatalogDocument(), to: Self.before).result
    let evolution = try CatalogEvolution(
      of: document, to: changed, rules: CatalogEvolution.Rules(mayReplaceProperties: true))
    let old = try #require(document.entity(named: "Task"))
    let new = try #require(evolution.after.entity(named: "Task"))
    #expect(new.relationships.allSatisfy { relationship in !old.relationships.contains { $0.id == relationship.id } })
    #expect(new.earlierLayouts?[0].sources.map(\.field) == [0, 2, nil, nil])
    #expect(evolution.work.indexBuilds.count == 1)
    #expect(evolution.work.linkBuilds.isEmpty)
  }
}
