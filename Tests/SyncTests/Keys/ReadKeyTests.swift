import Testing

@testable import Sync

@Suite("CD-2.3 CD-2.4 CD-2.6 Under which keys properties are read")
struct ReadKeyTests {
  /// The attribute that a key of JSON is read into.
  private func attribute(for key: String, in model: ManagedObjectModel, _ entity: String = "User") throws -> String? {
    let keys = try #require(model.keys[entity]?.attributes)
    return keys.first { $0.exact.contains(key) }?.attribute
      ?? keys.first { $0.canonical == Inflection.canonical(key) }?.attribute
  }

  @Test("CD-2.3 Which attribute a key fills")
  func attributes() throws {
    let model = try ManagedObjectModel {
      EntityDescription("User") {
        AttributeDescription("remoteID", .integer32)
        AttributeDescription("firstName", .string)
        AttributeDescription("age", .integer16, userInfo: ["sync.remoteKey": "age_of_person"])
        AttributeDescription("companyName", .string, userInfo: ["sync.remoteKey": "company.name"])
        AttributeDescription("title", .string, userInfo: ["sync.remoteKey": "name"])
        AttributeDescription("name", .string)
        AttributeDescription("listImageUrl", .uri)
      }
    }
    let expected: [(String, String?)] = [
      ("id", "remoteID"), ("remoteID", "remoteID"), ("remote_id", "remoteID"), ("first_name", "firstName"),
      ("firstName", "firstName"), ("first-name", "firstName"), ("FirstName", "firstName"), ("age", "age"),
      ("age_of_person", "age"), ("ageOfPerson", nil), ("company.name", "companyName"), ("company_name", "companyName"),
      ("title", "title"), ("name", "title"), ("Name", "name"), ("list_image_url", "listImageUrl"),
      ("list_image_URL", "listImageUrl"), ("unknown", nil), ("test_!_key", nil), ("", nil), ("_", nil),
    ]
    for (key, name) in expected { #expect(try attribute(for: key, in: model) == name, "\(key)") }
  }

  @Test("CD-2.3 The order in which the keys of one attribute are tried")
  func order() throws {
    let model = try ManagedObjectModel {
      EntityDescription("User") {
        AttributeDescription("remoteID", .integer32)
        AttributeDescription("userType", .string, userInfo: ["sync.remoteKey": "kind"])
      }
      EntityDescription("Note") {
        AttributeDescription("remoteID", .integer32, userInfo: ["sync.remoteKey": "note.key"])
      }
    }
    #expect(model.keys["User"]?.attribute(named: "remoteID")?.exact == ["id", "remoteID"])
    #expect(model.keys["User"]?.attribute(named: "userType")?.exact == ["kind", "userType", "type"])
    #expect(model.keys["Note"]?.attribute(named: "remoteID")?.exact == ["note.key", "remoteID", "id"])
  }

  @Test("CD-2.4 Reserved words, with the name of the entity itself, or of one that it inherits from")
  func reservedWords() throws {
    let model = try ManagedObjectModel {
      EntityDescription("TwoLetterEntity") {
        AttributeDescription("twoLetterEntityDescription", .string)
        AttributeDescription("marked", .string, userInfo: ["sync.remoteKey": "signed"])
      }
      EntityDescription("Car") { AttributeDescription("carType", .string) }
      EntityDescription("Racecar", parent: "Car") { AttributeDescription("racecarDescription", .string) }
      EntityDescription("Truck", parent: "Car") { AttributeDescription("truckType", .string) }
      EntityDescription("Plain") {
        AttributeDescription("type", .string)
        AttributeDescription("plainType", .string)
      }
    }
    let expected: [(String, String, String?)] = [
      ("TwoLetterEntity", "description", "twoLetterEntityDescription"),
      ("TwoLetterEntity", "two_letter_entity_description", "twoLetterEntityDescription"),
      ("TwoLetterEntity", "signed", "marked"), ("TwoLetterEntity", "type", nil), ("Car", "type", "carType"),
      ("Racecar", "type", "carType"), ("Racecar", "description", "racecarDescription"), ("Truck", "type", "truckType"),
      ("Truck", "car_type", "carType"), ("Plain", "type", "type"), ("Plain", "plain_type", "plainType"),
    ]
    for (entity, key, name) in expected {
      #expect(try attribute(for: key, in: model, entity) == name, "\(entity) \(key)")
    }
  }

  @Test("CD-12.3 A key that could mean two attributes is an error when the model is made, unless the model says which")
  func ambiguities() throws {
    func model(_ first: AttributeDescription, _ second: AttributeDescription) throws -> ManagedObjectModel {
      try ManagedObjectModel {
        EntityDescription("User") {
          first
          second
        }
      }
    }
    #expect(throws: ModelError.ambiguousKey(entity: "User", key: "photourl", first: "photoURL", second: "photoUrl")) {
      try model(AttributeDescription("photoURL", .uri), AttributeDescription("photoUrl", .uri))
    }
    let named = ["sync.remoteKey": "picture"]
    #expect(throws: ModelError.ambiguousKey(entity: "User", key: "picture", first: "a", second: "b")) {
      try model(AttributeDescription("a", .uri, userInfo: named), AttributeDescription("b", .uri, userInfo: named))
    }
    let settled = try model(
      AttributeDescription("photoURL", .uri, userInfo: named), AttributeDescription("photoUrl", .uri))
    #expect(try attribute(for: "photo_url", in: settled) == "photoUrl")
    #expect(try attribute(for: "photoURL", in: settled) == "photoURL")
    // What lies behind one path may be read into any number of attributes.
    let path = ["sync.remoteKey": "company.name"]
    _ = try model(AttributeDescription("a", .uri, userInfo: path), AttributeDescription("b", .uri, userInfo: path))
  }

  @Test("CD-2.6 The keys of relationships")
  func relationships() throws {
    let model = try ManagedObjectModel {
      EntityDescription("User") {
        RelationshipDescription.toMany("superNotes", "User")
        RelationshipDescription.toOne("parentID", "User")
        RelationshipDescription.toMany("authors", "User", userInfo: ["sync.remoteKey": "relationships.authors.data"])
      }
    }
    let keys = try #require(model.keys["User"])
    let notes = try #require(keys.relationship(named: "superNotes"))
    #expect(
      ["super_notes_ids", "superNotesIds", "superNotesIDs"].allSatisfy { Inflection.canonical($0) == notes.identities })
    #expect(["super_notes", "superNotes"].allSatisfy { Inflection.canonical($0) == notes.objects })
    #expect(Inflection.canonical("super_note_ids") != notes.identities)
    #expect(keys.relationship(named: "parentID")?.identities == Inflection.canonical("parent_id_id"))
    let authors = try #require(keys.relationship(named: "authors"))
    #expect(authors.remoteKey == "relationships.authors.data")
    #expect(authors.identities == nil && authors.objects == nil)
    #expect(throws: ModelError.ambiguousKey(entity: "A", key: "b_c", first: "bC", second: "b_c")) {
      try ManagedObjectModel {
        EntityDescription("A") {
          RelationshipDescription.toOne("bC", "A")
          RelationshipDescription.toOne("b_c", "A")
        }
      }
    }
  }
}
