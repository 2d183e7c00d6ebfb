import Testing

@testable import Sync

@Suite("CD-2.3 CD-12.3 Which property a key of a payload is for")
struct ReadNameTests {
  private func user(@EntityBuilder _ properties: () -> [any PropertyDescription]) throws -> SyncWorld {
    let properties = properties()
    return try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        for property in properties { property }
      }
    }
  }

  @Test(
    "CD-2.3 An attribute is read under its remote key, its name, and every other spelling of that",
    arguments: [
      (#""full_name": "a", "#, "a"), (#""name": "a", "#, "a"), (#""Name": "a", "#, "a"), (#""NAME": "a", "#, "a"),
      (#""full_name": "a", "name": "b", "#, "a"), (#""name": "b", "full_name": "a", "#, "a"),
    ] as [(String, String)])
  func remoteKey(_ members: String, _ name: String) throws {
    let world = try user { ModelAttribute("name", .string, userInfo: ["sync.remoteKey": "full_name"]) }
    try world.sync("[{\(members)\"id\": 1}]", "User")
    #expect(try world.objects("User") == ["1 name=\(name)"])
  }

  @Test(
    "CD-2.5 CD-12.3 Acronyms, digits and styles make no difference",
    arguments: [
      ("pdfURL", "pdf_url"), ("imageURLs", "image_urls"), ("userIDs", "user_ids"), ("f2fURL", "f2f_url"),
      ("listImageUrl", "list_image_url"), ("idCard", "id_card"), ("HTMLString", "html_string"),
      ("userURLID", "user_url_id"), ("first_name", "firstName"), ("firstName", "first-name"), ("UUID", "uuid"),
      ("firstName", "first_name"), ("firstName", "FIRST_NAME"), ("contractID", "contract_id"),
    ] as [(String, String)])
  func spellings(_ name: String, _ key: String) throws {
    let world = try user { ModelAttribute(name, .string) }
    try world.sync("[{\"id\": 1, \"\(key)\": \"x\"}]", "User")
    #expect(try world.objects("User") == ["1 \(name)=x"])
  }

  @Test("CD-2.3 Of two spellings the name itself counts")
  func exactFirst() throws {
    let world = try user { ModelAttribute("firstName", .string) }
    try world.sync(#"[{"first_name": "b", "id": 1, "firstName": "a", "FirstName": "c"}]"#, "User")
    #expect(try world.objects("User") == ["1 firstName=a"])
  }

  @Test("CD-2.3 Keys that mean nothing are left alone", arguments: ["", "_", "名前", "a.b", "$", "test_!_key"])
  func strangeKeys(_ key: String) throws {
    let world = try user { ModelAttribute("name", .string) }
    try world.sync("[{\"id\": 1, \"\(key)\": \"x\", \"name\": \"a\"}]", "User")
    #expect(try world.objects("User") == ["1 name=a"])
  }

  @Test("CD-2.4 Reserved words stand behind the name of the entity, also of one above")
  func reservedWords() throws {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("remoteID", .integer64)
        ModelAttribute("userType", .string)
        ModelAttribute("userDescription", .string)
        ModelAttribute("isSigned", .boolean, userInfo: ["sync.remoteKey": "signed"])
      }
      ModelEntity("Admin", parent: "User") { ModelAttribute("level", .integer16) }
    }
    try world.sync(#"[{"id": 1, "type": "t", "description": "d", "signed": true}]"#, "User")
    #expect(try world.objects("User") == ["1 userType=t userDescription=d isSigned=true"])
    try world.sync(#"[{"id": 1, "type": "t", "level": 3}]"#, "Admin")
    #expect(try world.objects("Admin") == ["1 userType=t level=3"])
  }

  @Test(
    "CD-2.2 CD-12.3 The primary key is read under its own names",
    arguments: [
      (ModelAttribute("remoteID", .string), "id"), (ModelAttribute("id", .string), "id"),
      (ModelAttribute("uniqueID", .string, userInfo: ["sync.isPrimaryKey": "YES"]), "unique_id"),
      (ModelAttribute("nfCode", .string, userInfo: ["sync.isPrimaryKey": "true"]), "nfCode"),
      (ModelAttribute("nfCode", .string, userInfo: ["sync.isPrimaryKey": "true"]), "nf_code"),
      (ModelAttribute("own", .string, userInfo: ["hyper.isPrimaryKey": "YES", "hyper.remoteKey": "key"]), "key"),
      (
        ModelAttribute("own", .string, userInfo: ["sync.isPrimaryKey": "YES", "sync.remoteKey": "meta.key"]), "meta.key"
      ),
    ] as [(ModelAttribute, String)])
  func primaryKeys(_ attribute: ModelAttribute, _ key: String) throws {
    let world = try SyncWorld { ModelEntity("Item") { attribute } }
    for _ in 1...2 { try world.sync("[{\"\(key)\": \"k\"}]", "Item") }
    #expect(try world.objects("Item") == ["k"])
  }

  @Test("CD-3.5 A path leads into nested objects; where one is missing, the key is")
  func paths() throws {
    let world = try user {
      ModelAttribute("company", .string, userInfo: ["sync.remoteKey": "company.name"])
      ModelAttribute("city", .string, userInfo: ["sync.remoteKey": "company.address.city"])
    }
    let company = #"{"id": 1, "company": {"name": "c", "address": {"city": "x"}}}"#
    try world.sync("[\(company)]", "User")
    #expect(try world.objects("User") == ["1 company=c city=x"])
    for payload in [
      #"{"id": 1}"#, #"{"id": 1, "company": {}}"#, #"{"id": 1, "company": {"address": null}}"#,
      #"{"id": 1, "company": {"address": 5}}"#, #"{"id": 1, "company": {"address": []}}"#,
    ] {
      try world.sync("[\(payload)]", "User")
      #expect(try world.objects("User") == ["1 company=c city=x"], "\(payload)")
    }
    try world.sync(#"[{"id": 1, "company": {"name": null, "address": {"city": null}}}]"#, "User")
    #expect(try world.objects("User") == ["1"])
    try world.sync(#"[{"id": 1, "company.name": "d"}]"#, "User")
    #expect(try world.objects("User") == ["1 company=d"])
  }

  private func links(remoteKey: String? = nil) throws -> SyncWorld {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany(
          "superNotes", "Note", inverse: "superUser",
          userInfo: remoteKey.map { ["sync.remoteKey": $0] } ?? [:])
      }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne(
          "superUser", "User", inverse: "superNotes",
          userInfo: remoteKey.map { ["sync.remoteKey": $0] } ?? [:])
      }
    }
    try world.sync(#"[{"id": 5}, {"id": 6}]"#, "Note")
    try world.sync(#"[{"id": 1}, {"id": 2}]"#, "User")
    return world
  }

  @Test(
    "CD-2.6 The keys of to-many relationships",
    arguments: [
      (nil, "super_notes_ids", "[5]", true), (nil, "superNotesIds", "[5]", true),
      (nil, "super_notes", #"[{"id": 5}]"#, true),
      (nil, "superNotes", #"[{"id": 5}]"#, true), (nil, "super_notes", "[5]", false), (nil, "notes_ids", "[5]", false),
      ("x", "x", "[5]", true), ("x", "x", #"[{"id": 5}]"#, true), ("x", "super_notes_ids", "[5]", false),
      ("x", "x_ids", "[5]", false), ("a.b", "a.b", "[5]", true),
    ] as [(String?, String, String, Bool)])
  func toManyKeys(_ remoteKey: String?, _ key: String, _ value: String, _ isRead: Bool) throws {
    let world = try links(remoteKey: remoteKey)
    try world.sync("{\"id\": 1, \"\(key)\": \(value)}", "User")
    #expect(try world.objects("User") == [isRead ? "1 superNotes=5" : "1", "2"])
  }

  @Test("CD-2.6 A remote key with dots leads into nested objects")
  func relationshipPaths() throws {
    let world = try links(remoteKey: "relations.list.data")
    try world.sync(#"{"id": 1, "relations": {"list": {"data": [{"id": 5}, {"id": 7}]}}}"#, "User")
    #expect(try world.objects("User") == ["1 superNotes=5,7", "2"])
    try world.sync(#"{"id": 1, "relations": {"list": 5}}"#, "User")
    #expect(try world.objects("User") == ["1 superNotes=5,7", "2"])
  }

  @Test(
    "CD-2.6 The keys of to-one relationships",
    arguments: [
      (nil, "super_user_id", "2", true), (nil, "superUserID", "2", true), (nil, "super_user", #"{"id": 2}"#, true),
      (nil, "superUser", #"{"id": 2}"#, true), (nil, "super_user", "2", false), (nil, "user_id", "2", false),
      ("x", "x", "2", true), ("x", "x", #"{"id": 2}"#, true), ("x", "super_user_id", "2", false),
    ] as [(String?, String, String, Bool)])
  func toOneKeys(_ remoteKey: String?, _ key: String, _ value: String, _ isRead: Bool) throws {
    let world = try links(remoteKey: remoteKey)
    try world.sync("{\"id\": 5, \"\(key)\": \(value)}", "Note")
    #expect(try world.objects("Note") == [isRead ? "5 superUser=2" : "5", "6"])
  }

  @Test("CD-2.3 One key may fill an attribute and a relationship")
  func sharedKey() throws {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("companyID", .integer64)
        ModelRelationship.toOne("company", "Company")
      }
      ModelEntity("Company") { ModelAttribute("id", .integer64) }
    }
    try world.sync(#"[{"id": 3}]"#, "Company")
    try world.sync(#"[{"id": 1, "company_id": 3}]"#, "User")
    #expect(try world.objects("User") == ["1 companyID=3 company=3"])
  }
}
