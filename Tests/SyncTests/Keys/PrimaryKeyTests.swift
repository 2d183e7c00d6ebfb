import Testing

@testable import Sync

@Suite("CD-2.1 CD-2.2 What user info says, and which attribute is the primary key")
struct PrimaryKeyTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var entity = "User"
    let attribute: String
    var userInfo: [String: String] = [:]
    let local: String?
    let remote: String?

    var testDescription: String { "\(entity).\(attribute) \(userInfo)" }
  }

  private static let cases = [
    Case(attribute: "remoteID", local: "remoteID", remote: "id"),
    Case(attribute: "id", local: "id", remote: "id"),
    Case(attribute: "uniqueID", userInfo: ["sync.isPrimaryKey": "YES"], local: "uniqueID", remote: "unique_id"),
    Case(
      attribute: "alternativeID", userInfo: ["sync.isPrimaryKey": "true"], local: "alternativeID",
      remote: "alternative_id"),
    Case(
      attribute: "randomId", userInfo: ["sync.isPrimaryKey": "YES", "sync.remoteKey": "id"], local: "randomId",
      remote: "id"),
    Case(
      attribute: "custom", userInfo: ["hyper.isPrimaryKey": "YES", "hyper.remoteKey": "greeting"], local: "custom",
      remote: "greeting"),
    Case(attribute: "nfCode", userInfo: ["sync.isPrimaryKey": "YES"], local: "nfCode", remote: "nf_code"),
    Case(
      entity: "Element", attribute: "elementType", userInfo: ["sync.isPrimaryKey": "YES"], local: "elementType",
      remote: "element_type"),
    Case(
      attribute: "key", userInfo: ["sync.isPrimaryKey": "YES", "sync.remoteKey": "meta.key"], local: "key",
      remote: "meta.key"),
    Case(attribute: "number", userInfo: ["sync.isPrimaryKey": "yes"], local: nil, remote: nil),
    Case(attribute: "number", userInfo: ["sync.isPrimaryKey": "1"], local: nil, remote: nil),
    Case(
      attribute: "number", userInfo: ["sync.isPrimaryKey": "NO", "hyper.isPrimaryKey": "YES"], local: nil, remote: nil),
    Case(attribute: "name", local: nil, remote: nil),
  ]

  @Test("CD-2.2 The primary key and its key in JSON", arguments: cases)
  func primaryKeys(_ sample: Case) throws {
    let model = try ManagedObjectModel {
      EntityDescription(sample.entity) {
        AttributeDescription("other", .string)
        AttributeDescription(sample.attribute, .string, userInfo: sample.userInfo)
      }
    }
    let entity = try #require(model.entity(named: sample.entity))
    #expect(entity.localPrimaryKey == sample.local)
    #expect(entity.remotePrimaryKey == sample.remote)
  }

  @Test("CD-2.2 A mark wins over the usual names, and inherited attributes count")
  func marksAndInheritance() throws {
    let model = try ManagedObjectModel {
      EntityDescription("Marked") {
        AttributeDescription("id", .integer32)
        AttributeDescription("code", .string, userInfo: ["sync.isPrimaryKey": "YES"])
      }
      EntityDescription("Child", parent: "Base")
      EntityDescription("Base") { AttributeDescription("id", .integer32) }
    }
    #expect(model.entity(named: "Marked")?.localPrimaryKey == "code")
    #expect(model.entity(named: "Child")?.localPrimaryKey == "id")
  }

  @Test(
    "CD-2.1 Every entry has an older name, which counts where the present one is absent",
    arguments: SyncUserInfoKey.allCases)
  func legacyNames(key: SyncUserInfoKey) {
    #expect(key.legacyName.hasPrefix("hyper."))
    let value = { (userInfo: [String: String]) in
      AttributeDescription("a", .string, userInfo: userInfo).userInfoValue(key)
    }
    #expect(value([:]) == nil)
    #expect(value([key.legacyName: "old"]) == "old")
    #expect(value([key.rawValue: "new", key.legacyName: "old"]) == "new")
  }

  @Test("CD-2.1 What the entries mean")
  func meanings() {
    let marked = AttributeDescription(
      "a", .string, userInfo: ["sync.nonExportable": "", "sync.valueTransformer": "T", "sync.remoteKey": ""])
    #expect(!marked.shouldExportAttribute)
    #expect(marked.customTransformerName == "T")
    #expect(marked.customKey == nil)
    let relationship = RelationshipDescription.toOne("r", "A", userInfo: ["hyper.remoteKey": "a.b"])
    #expect(relationship.customKey == "a.b")
    #expect(relationship.shouldExportAttribute)
  }
}
