import Foundation
import Testing

@testable import Sync

@Suite("CD-7 Objects as JSON")
struct ObjectExportTests {
  /// An object as text, so that whole exports can be compared.
  private func json(_ object: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  private func context(_ model: ManagedObjectModel) -> ManagedObjectContext {
    DataStack(model: model, storeType: .inMemory).newBackgroundContext()
  }

  private func library() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      ModelEntity("Author") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelAttribute("penName", .string)
        ModelRelationship.toMany("oldBooks", "Book", inverse: "author", isOrdered: true)
        ModelRelationship.toOne("agent", "Author")
      }
      ModelEntity("Book") {
        ModelAttribute("remoteID", .integer64)
        ModelAttribute("title", .string)
        ModelAttribute("destroy", .boolean)
        ModelRelationship.toOne("author", "Author", inverse: "oldBooks")
      }
    }
  }

  @Test(
    "CD-7.2 Keys and relationships are written as the options say",
    arguments: [
      (
        InflectionType.snakeCase, RelationshipType.array,
        #"{"agent":{"id":2,"name":null,"old_books":[],"pen_name":null},"id":1,"name":"A","old_books":[{"destroy":true,"id":7,"title":"T"},{"destroy":null,"id":8,"title":null}],"pen_name":null}"#
      ),
      (
        .camelCase, .array,
        #"{"agent":{"id":2,"name":null,"oldBooks":[],"penName":null},"id":1,"name":"A","oldBooks":[{"destroy":true,"id":7,"title":"T"},{"destroy":null,"id":8,"title":null}],"penName":null}"#
      ),
      (
        .snakeCase, .nested,
        #"{"agent_attributes":{"id":2,"name":null,"old_books_attributes":{},"pen_name":null},"id":1,"name":"A","old_books_attributes":{"0":{"_destroy":true,"id":7,"title":"T"},"1":{"_destroy":null,"id":8,"title":null}},"pen_name":null}"#
      ),
      (
        .camelCase, .nested,
        #"{"agentAttributes":{"id":2,"name":null,"oldBooksAttributes":{},"penName":null},"id":1,"name":"A","oldBooksAttributes":{"0":{"_destroy":true,"id":7,"title":"T"},"1":{"_destroy":null,"id":8,"title":null}},"penName":null}"#
      ),
      (.snakeCase, .none, #"{"id":1,"name":"A","pen_name":null}"#),
    ])
  func options(inflection: InflectionType, relationships: RelationshipType, expected: String) throws {
    let context = context(try library())
    let books = [
      try context.make("Book", ["remoteID": 7, "title": "T", "destroy": true]),
      try context.make("Book", ["remoteID": 8]),
    ]
    let agent = try context.make("Author", ["id": 2])
    let author = try context.make("Author", ["id": 1, "name": "A", "oldBooks": books, "agent": agent])
    var options = ExportOptions()
    options.inflectionType = inflection
    options.relationshipType = relationships
    #expect(try json(author.export(using: options)) == expected)
    try context.save()
    #expect(try json(author.export(using: options)) == expected)
  }

  @Test("CD-7.2 The usual options have short names")
  func shortNames() throws {
    let context = context(try library())
    let author = try context.make("Author", ["id": 1])
    #expect(author.export().keys.sorted() == ["id", "name", "old_books", "pen_name"])
    #expect(author.export(using: .camelCase).keys.sorted() == ["id", "name", "oldBooks", "penName"])
    #expect(author.export(using: .excludedRelationships).keys.sorted() == ["id", "name", "pen_name"])
  }

  @Test(
    "CD-7.3 Keys are the model's own, in nested objects where they have dots, and without the prefix of reserved words")
  func keys() throws {
    let model = try ManagedObjectModel {
      ModelEntity("Type") {
        ModelAttribute("id", .integer16)
        ModelAttribute("typeType", .string)
        ModelAttribute("typeDescription", .string)
        ModelAttribute("city", .string, userInfo: ["sync.remoteKey": "address.city"])
        ModelAttribute("street", .string, userInfo: ["hyper.remoteKey": "address.street.name"])
        ModelAttribute("secret", .string, userInfo: ["sync.nonExportable": "false"])
        ModelAttribute("other", .string, userInfo: ["sync.remoteKey": "type_signed"])
        ModelRelationship.toMany("notes", "Type", userInfo: ["sync.remoteKey": "annotations.list"])
        ModelRelationship.toOne("hidden", "Type", userInfo: ["sync.nonExportable": ""])
      }
      ModelEntity("SubType", parent: "Type") { ModelAttribute("subTypeSigned", .string) }
    }
    let context = context(model)
    let type = try context.make(
      "Type",
      [
        "typeType": "t", "typeDescription": "d", "city": "c", "street": "s", "secret": "x", "other": "o",
      ])
    type["hidden"] = type
    #expect(
      try json(type.export())
        == #"{"address":{"city":"c","street":{"name":"s"}},"annotations":{"list":[]},"description":"d","id":null,"type":"t","type_signed":"o"}"#
    )
    let sub = try context.make("SubType", ["typeType": "t", "subTypeSigned": "s"])
    let exported = sub.export(using: .camelCase)
    #expect(exported["type"] as? String == "t" && exported["signed"] as? String == "s")
  }

  @Test("CD-7.3 Values are written so that a sync reads the same ones")
  func values() throws {
    let model = try ManagedObjectModel {
      ModelEntity("Thing") {
        for type in ModelAttribute.AttributeType.allCases {
          ModelAttribute(type.rawValue.replacing(" ", with: "").lowercased(), type)
        }
      }
    }
    let context = context(model)
    let id = UUID()
    let thing = try context.make(
      "Thing",
      [
        "integer16": 1, "integer64": Int.max, "decimal": Decimal(12), "double": 1.5, "float": Float.infinity,
        "string": "s", "boolean": true, "date": Date(timeIntervalSince1970: 1.125), "binary": Data("[1]".utf8),
        "uuid": id, "uri": "https://a.org",
      ])
    let exported = thing.export()
    #expect(exported["uuid"] as? String == id.uuidString)
    #expect(exported["binary"] as? [Int] == [1])
    #expect(exported["float"] is NSNull)
    #expect(exported["date"] as? String == "1970-01-01T00:00:01.125Z")
    #expect(exported["uri"] as? String == "https://a.org")
    #expect(exported["boolean"] as? Bool == true)
    #expect(exported["integer64"] as? Int == Int.max)
    #expect(exported["transformable"] is NSNull)
    thing["binary"] = Data([0xFF])
    #expect(thing.export()["binary"] as? Data == Data([0xFF]))
  }

  @Test("CD-7.4 A date formatter of one's own is used for dates at every depth")
  func dates() throws {
    let model = try ManagedObjectModel {
      ModelEntity("Thing") {
        ModelAttribute("at", .date)
        ModelRelationship.toOne("next", "Thing")
      }
    }
    let context = context(model)
    let inner = try context.make("Thing", ["at": Date(timeIntervalSince1970: 0)])
    let outer = try context.make("Thing", ["at": Date(timeIntervalSince1970: 86_400), "next": inner])
    var options = ExportOptions()
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "dd/MM/yyyy"
    options.dateFormatter = formatter
    #expect(try json(outer.export(using: options)) == #"{"at":"02/01/1970","next":{"at":"01/01/1970"}}"#)
  }

  @Test("CD-7.5 Relationships are not followed back, and whatever objects lead to each other an export ends")
  func cycles() throws {
    let context = try Shop.stack().newBackgroundContext()
    let person = try context.make("Person", ["id": 1])
    let note = try context.make("Note", ["id": 1, "author": person])
    let tag = try context.make("Tag", ["label": "t", "notes": [note]])
    person["boss"] = person
    let team = try context.make("Team", ["id": 1, "players": [person]])
    let exported = person.export()
    #expect((exported["notes"] as? [[String: Any]])?.first?.keys.sorted() == ["id", "mood", "tags", "text"])
    // Its own boss is left out of itself; so is a member that lies on the way.
    #expect(exported["boss"] == nil)
    #expect((exported["staff"] as? [Any])?.isEmpty == true)
    #expect(tag.export().keys.sorted() == ["label", "notes"])
    #expect(team.export().keys.sorted() == ["id", "players"])
    var chain = person
    for id in 2...2000 { chain = try context.make("Person", ["id": id, "boss": chain]) }
    #expect(chain.export()["boss"] != nil)
  }

  @Test("CD-7.5 Densely linked objects are exported in time, each of them once with all of its relationships")
  func density() throws {
    let model = try ManagedObjectModel {
      ModelEntity("Person") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("friends", "Person", inverse: "fans")
        ModelRelationship.toMany("fans", "Person", inverse: "friends", userInfo: ["sync.nonExportable": "YES"])
      }
    }
    let context = context(model)
    let people = try (0..<40).map { try context.make("Person", ["id": $0]) }
    for person in people { person["friends"] = people.filter { $0 !== person } }
    var unseen = Set(0..<40)
    var mentions = 0
    func look(at exported: [String: Any]) {
      mentions += 1
      guard let friends = exported["friends"] as? [[String: Any]] else { return }
      if let id = exported["id"] as? Int { unseen.remove(id) }
      for friend in friends { look(at: friend) }
    }
    look(at: people[0].export())
    #expect(unseen.isEmpty)
    #expect(mentions > 100_000 && mentions < 105_000)
  }
}
