import Foundation
import Testing

@testable import Sync

@Suite("CD-1.5 CD-1.6 Former names do what the present ones do")
struct FormerNameTests {
  private let context: ManagedObjectContext
  private let person: ManagedObject

  init() throws {
    context = try Shop.stack().newBackgroundContext()
    person = try context.make("Person", ["id": 1, "name": "Anna"])
    try context.make("Note", ["id": 7, "text": "T", "author": person])
    try context.save()
  }

  private func json(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
  }

  private func options(
    _ inflection: InflectionType = .snakeCase, _ relationships: RelationshipType = .nested
  ) -> ExportOptions {
    var options = ExportOptions()
    options.inflectionType = inflection
    options.relationshipType = relationships
    return options
  }

  @Test("CD-1.5 Exports, whose relationships are nested unless it is said otherwise")
  @available(*, deprecated)
  func exports() throws {
    let formatter = DateFormatter()
    let pairs: [([String: Any], ExportOptions)] = [
      (person.hyp_dictionary(), options()),
      (person.hyp_dictionary(using: .camelCase), options(.camelCase)),
      (person.hyp_dictionary(using: .array), options(.snakeCase, .array)),
      (person.hyp_dictionary(using: .camelCase, andRelationshipType: .none), options(.camelCase, .none)),
      (person.hyp_dictionary(with: formatter), options()),
      (person.hyp_dictionary(with: formatter, using: .array), options(.snakeCase, .array)),
    ]
    for (former, options) in pairs { #expect(try json(former) == json(person.export(using: options))) }
    try person.hyp_fill(with: ["name": "Bea"])
    #expect(person["name"] as? String == "Bea")
  }

  @Test("CD-1.6 Primary keys and look-ups")
  @available(*, deprecated)
  func lookUps() throws {
    let entity = person.entity
    #expect(entity.sync_primaryKeyAttribute()?.name == "id")
    #expect(entity.sync_localPrimaryKey() == "id")
    #expect(entity.sync_remotePrimaryKey() == "id")
    #expect(
      try context.safeObject("Person", localPrimaryKey: "1", parent: nil, parentRelationshipName: nil) === person)
    let note = try #require(try context.all("Note").first)
    #expect(
      try context.safeObject("Person", localPrimaryKey: nil, parent: note, parentRelationshipName: "author") === person)
    #expect(try context.safeObject("Person", localPrimaryKey: nil, parent: nil, parentRelationshipName: nil) == nil)
    #expect(
      try context.managedObjectIDs(in: "Person", usingAsKey: "name", predicate: nil) == ["Anna": person.objectID])
    #expect(try context.managedObjectIDs(in: "Person", usingAsKey: "id", predicate: Key("id") > 1).isEmpty)
    #expect(throws: ManagedObjectError.unknownProperty(entity: "Person", property: "size")) {
      try context.managedObjectIDs(in: "Person", usingAsKey: "size")
    }
  }

  @Test("CD-1.1 A closure without a label is a completion, whatever it does with its error")
  @available(*, deprecated)
  func unlabelledClosures() async throws {
    let dataStack = try Shop.stack()
    let type = await withCheckedContinuation { continuation in
      dataStack.sync([], inEntityNamed: "Person") { error in continuation.resume(returning: "\(Swift.type(of: error))")
      }
    }
    #expect(type == "Optional<Error>")
  }
}
