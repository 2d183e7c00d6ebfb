import SyncEngine
import Testing

@testable import Sync

@Suite("CD-5 What payloads do to relationships")
struct RelationshipSyncTests {
  /// Users with notes (one to many), tags (many to many) and a company (to one, with users as inverse).
  private func world(ordered: Bool = false) throws -> SyncWorld {
    try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("notes", "Note", inverse: "user", isOrdered: ordered)
        ModelRelationship.toMany("tags", "Tag", inverse: "users", isOrdered: ordered)
        ModelRelationship.toOne("company", "Company", inverse: "users")
        ModelRelationship.toOne("home", "Location")
      }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelAttribute("text", .string)
        ModelRelationship.toOne("user", "User", inverse: "notes")
      }
      ModelEntity("Tag") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("users", "User", inverse: "tags")
      }
      ModelEntity("Company") {
        ModelAttribute("id", .integer64)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("users", "User", inverse: "company")
      }
      ModelEntity("Location") {
        ModelAttribute("city", .string)
        ModelAttribute("zip", .string)
      }
    }
  }

  struct ToOne: CustomTestStringConvertible {
    let json: String
    /// What the user's company is then: of a user without one, and of one whose company is 1.
    let fromNone: String
    let fromOne: String
    var companies = ["1 name=one", "2 name=two"]
    var testDescription: String { json }
  }

  @Test(
    "CD-5.2 CD-5.3 CD-12.1 To-one relationships",
    arguments: [
      ToOne(json: #""name": "x""#, fromNone: "", fromOne: "1"),
      ToOne(json: #""company_id": 2"#, fromNone: "2", fromOne: "2"),
      ToOne(json: #""company_id": "2""#, fromNone: "2", fromOne: "2"),
      ToOne(json: #""company_id": 9"#, fromNone: "", fromOne: "1"),
      ToOne(json: #""company_id": null"#, fromNone: "", fromOne: ""),
      ToOne(json: #""company": null"#, fromNone: "", fromOne: ""),
      ToOne(
        json: #""company": {"id": 2, "name": "zwo"}"#, fromNone: "2", fromOne: "2",
        companies: ["1 name=one", "2 name=zwo"]),
      ToOne(
        json: #""company": {"id": 1, "name": "eins"}"#, fromNone: "1", fromOne: "1",
        companies: ["1 name=eins", "2 name=two"]),
      ToOne(json: #""company": {"id": 3}"#, fromNone: "3", fromOne: "3", companies: ["1 name=one", "2 name=two", "3"]),
      ToOne(json: #""company": {}"#, fromNone: "", fromOne: "1"),
      ToOne(json: #""company": 5"#, fromNone: "", fromOne: "1"),
      ToOne(json: #""company": "x""#, fromNone: "", fromOne: "1"),
      ToOne(json: #""company": []"#, fromNone: "", fromOne: "1"),
      ToOne(
        json: #""company_id": 9, "company": {"id": 2, "name": "zwo"}"#, fromNone: "2", fromOne: "2",
        companies: ["1 name=one", "2 name=zwo"]),
      ToOne(json: #""company_id": 2, "company": null"#, fromNone: "2", fromOne: "2"),
    ])
  func toOne(_ test: ToOne) throws {
    for isLinked in [false, true] {
      let world = try world()
      try world.sync(#"[{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]"#, "Company")
      try world.sync("[{\"id\": 7, \"company_id\": \(isLinked ? "1" : "null")}]", "User")
      try world.sync("{\"id\": 7, \(test.json)}", "User")
      let company = isLinked ? test.fromOne : test.fromNone
      #expect(try world.objects("User")[0].hasSuffix(company.isEmpty ? "" : " company=\(company)"))
      let companies = try world.objects("Company").map { String($0.split(separator: " users")[0]) }
      #expect(companies == test.companies)
    }
  }

  @Test("CD-5.3 Objects without a key belong to the one object around them")
  func valueObjects() throws {
    let world = try world()
    try world.sync(#"[{"id": 1, "home": {"city": "a", "zip": "1"}}, {"id": 2, "home": {"city": "b"}}]"#, "User")
    #expect(try world.objects("Location") == ["? city=a zip=1", "? city=b"])
    try world.sync(#"[{"id": 1, "home": {"city": "c"}}, {"id": 2, "home": null}]"#, "User")
    #expect(try world.objects("Location") == ["? city=b", "? city=c zip=1"])
    #expect(try world.objects("User") == ["1 home=?", "2"])
    // Of an entity with a key it is the same.
    try world.sync(#"[{"id": 1, "company": {"name": "x"}}, {"id": 1, "company": {"name": "y"}}]"#, "User")
    #expect(try world.objects("Company") == ["? name=y users=1"])
    try world.sync(#"[{"id": 1, "company": {"id": null, "name": "z"}}]"#, "User")
    #expect(try world.objects("Company") == ["? name=z users=1"])
  }

  @Test("CD-5.3 In one-to-one relationships an object is taken over")
  func oneToOne() throws {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("badge", "Badge", inverse: "holder")
      }
      ModelEntity("Badge") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("holder", "User", inverse: "badge")
      }
    }
    try world.sync(#"[{"id": 1, "badge": {"id": 5}}, {"id": 2}]"#, "User")
    try world.sync(#"[{"id": 1}, {"id": 2, "badge": {"id": 5, "holder_id": 1}}]"#, "User")
    #expect(try world.objects("User") == ["1", "2 badge=5"])
  }

  @Test("CD-5.2 CD-12.1 What a nested object says of the object around it is not looked at")
  func wayBack() throws {
    let world = try world()
    try world.sync(#"[{"id": 1, "notes": [{"id": 5, "user": {"id": 9, "name": "x"}, "text": "t"}]}]"#, "User")
    #expect(try world.objects("User") == ["1 notes=5"])
    // A list that leads back adds to what there is.
    try world.sync(#"[{"id": 2, "company_id": 3}]"#, "User", [.insert])
    try world.sync(#"[{"id": 3, "users": [{"id": 2}]}]"#, "Company")
    try world.sync(#"{"id": 1, "company": {"id": 3, "users": []}}"#, "User")
    #expect(try world.objects("User") == ["1 notes=5 company=3", "2 company=3"])
  }

  struct ToMany: CustomTestStringConvertible {
    let json: String
    /// The user's notes, and those that there are.
    let notes: String
    let all: [String]
    /// The user's tags; no tag is ever deleted.
    let tags: String
    var testDescription: String { json }
  }

  @Test(
    "CD-5.1 CD-5.4 CD-5.5 CD-12.1 To-many relationships: what is left out of a list of objects goes, what is left out of a list of keys is unlinked",
    arguments: [
      ToMany(json: "", notes: "5,6", all: ["5", "6", "8"], tags: "5,6"),
      ToMany(json: #", "X": null"#, notes: "", all: ["8"], tags: ""),
      ToMany(json: #", "X": []"#, notes: "", all: ["8"], tags: ""),
      ToMany(json: #", "X": [{"id": 6}]"#, notes: "6", all: ["6", "8"], tags: "6"),
      ToMany(json: #", "X": [{"id": 6}, {"id": 7}]"#, notes: "6,7", all: ["6", "7", "8"], tags: "6,7"),
      ToMany(json: #", "X": [{"id": 8}, {"text": "x"}]"#, notes: "8", all: ["8"], tags: "8"),
      ToMany(json: #", "X": [5]"#, notes: "5,6", all: ["5", "6", "8"], tags: "5,6"),
      ToMany(json: #", "X": [{"id": 5}, 6]"#, notes: "5,6", all: ["5", "6", "8"], tags: "5,6"),
      ToMany(json: #", "X": "5""#, notes: "5,6", all: ["5", "6", "8"], tags: "5,6"),
      ToMany(json: #", "X_ids": [6, 8]"#, notes: "6,8", all: ["5", "6", "8"], tags: "6,8"),
      ToMany(json: #", "X_ids": ["6", 8, 99]"#, notes: "6,8", all: ["5", "6", "8"], tags: "6,8"),
      ToMany(json: #", "X_ids": []"#, notes: "", all: ["5", "6", "8"], tags: ""),
      ToMany(json: #", "X_ids": null"#, notes: "", all: ["5", "6", "8"], tags: ""),
      ToMany(json: #", "X_ids": [5], "X": [{"id": 6}]"#, notes: "6", all: ["6", "8"], tags: "6"),
      ToMany(json: #", "X_ids": [5], "X": []"#, notes: "5", all: ["5", "6", "8"], tags: "5"),
    ])
  func toMany(_ test: ToMany) throws {
    let start = #"[{"id": 1, "X": [{"id": 5}, {"id": 6}]}, {"id": 2, "X": [{"id": 8}]}]"#
    for key in ["notes", "tags"] {
      let world = try world()
      try world.sync(start.replacingOccurrences(of: "X", with: key), "User")
      try world.sync("{\"id\": 1\(test.json)}".replacingOccurrences(of: "X", with: key), "User")
      let wanted = key == "notes" ? test.notes : test.tags
      #expect(try world.objects("User")[0] == (wanted.isEmpty ? "1" : "1 \(key)=\(wanted)"), "\(key)")
      let all = try world.objects(key == "notes" ? "Note" : "Tag").map { String($0.prefix(1)) }
      #expect(all == (key == "notes" ? test.all : Set(["5", "6", "8"] + test.all).sorted()), "\(key)")
    }
  }

  @Test("CD-5.4 CD-12.1 A remote key means the same as the name: what isn't listed goes")
  func remoteKeys() throws {
    for value in ["[]", "null", #"[{"id": 5}]"#] {
      let world = try SyncWorld {
        ModelEntity("User") {
          ModelAttribute("id", .integer64)
          ModelRelationship.toMany("notes", "Note", inverse: "user", userInfo: ["sync.remoteKey": "annotations"])
        }
        ModelEntity("Note") {
          ModelAttribute("id", .integer64)
          ModelRelationship.toOne("user", "User", inverse: "notes")
        }
      }
      try world.sync(#"[{"id": 1, "annotations": [{"id": 5}, {"id": 6}]}]"#, "User")
      try world.sync("[{\"id\": 1, \"annotations\": \(value)}]", "User")
      #expect(try world.count("Note") == (value.contains("5") ? 1 : 0))
    }
  }

  @Test("CD-5.4 A child that another parent has is moved, also while its own parent leaves it out")
  func moves() throws {
    for payload in [
      #"[{"id": 1, "notes": []}, {"id": 2, "notes": [{"id": 5}]}]"#,
      #"[{"id": 2, "notes": [{"id": 5}]}, {"id": 1, "notes": []}]"#,
    ] {
      let world = try world()
      try world.sync(#"[{"id": 1, "notes": [{"id": 5, "text": "t"}]}, {"id": 2}]"#, "User")
      let report = try world.sync(payload, "User")
      #expect(try world.objects("Note") == ["5 text=t user=2"])
      #expect(report.entities["Note"]?.deleted ?? 0 == 0)
    }
  }

  @Test("CD-5.4 Deleted children are in the report")
  func orphanReport() throws {
    let world = try world()
    try world.sync(#"[{"id": 1, "notes": [{"id": 5}, {"id": 6}]}]"#, "User")
    let report = try world.sync(#"[{"id": 1, "notes": [{"id": 6}]}]"#, "User")
    #expect(report.entities["Note"]?.deleted == 1)
    #expect(report.identities["Note"]?.deleted == ["5"])
  }

  @Test("CD-5.5 Ids that come before their objects are connected when these are there")
  func laterObjects() throws {
    let world = try world()
    let report = try world.sync(#"[{"id": 1, "tags_ids": [5]}]"#, "User")
    #expect(report.ignoredReferences.map(\.pointer) == ["/0/tags_ids/0"])
    try world.sync(#"[{"id": 5}]"#, "Tag")
    try world.sync(#"[{"id": 1, "tags_ids": [5]}]"#, "User")
    #expect(try world.objects("User") == ["1 tags=5"])
    // Within one payload the order plays no part.
    let tree = try SyncWorld {
      ModelEntity("Node") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toMany("next", "Node", inverse: "former")
        ModelRelationship.toMany("former", "Node", inverse: "next")
      }
    }
    try tree.sync(#"[{"id": 1, "next_ids": [2]}, {"id": 2, "next_ids": [1]}]"#, "Node")
    #expect(try tree.objects("Node") == ["1 next=2 former=2", "2 next=1 former=1"])
  }

  @Test("CD-5.6 CD-12.1 Every order of a list becomes the order of the relationship", arguments: ["notes", "tags"])
  func order(_ key: String) throws {
    for byKeys in [false, true] {
      let world = try world(ordered: true)
      for order in permutations([1, 2, 3, 4]) {
        let objects = order.map { "{\"id\": \($0)}" }.joined(separator: ",")
        let keys = order.map(String.init).joined(separator: ",")
        try world.sync(
          #"[{"id": 1, "X": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]}]"#.replacingOccurrences(of: "X", with: key),
          "User")
        let report = try world.sync(
          byKeys ? "[{\"id\": 1, \"\(key)_ids\": [\(keys), 99]}]" : "[{\"id\": 1, \"\(key)\": [\(objects)]}]", "User")
        #expect(try world.objects("User") == ["1 \(key)=\(keys)"])
        #expect(report.entities["User"]?.updated == (order == [1, 2, 3, 4] ? 0 : 1))
      }
    }
  }

  @Test("CD-5.6 What a list may not remove stands behind what it has")
  func orderWithoutRemoval() throws {
    let world = try world(ordered: true)
    try world.sync(#"[{"id": 1, "tags": [{"id": 1}, {"id": 2}, {"id": 3}]}]"#, "User")
    try world.sync(#"[{"id": 1, "tags_ids": [3, 1]}]"#, "User", [.update])
    #expect(try world.objects("User") == ["1 tags=3,1,2"])
  }

  @Test("CD-5.7 Nested objects are processed at every depth")
  func depth() throws {
    let world = try SyncWorld {
      ModelEntity("Number") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("parent", "Number", inverse: "numbers")
        ModelRelationship.toMany("numbers", "Number", inverse: "parent")
      }
    }
    let depth = 60
    var payload = "{\"id\": \(depth)}"
    for id in stride(from: depth - 1, through: 1, by: -1) { payload = "{\"id\": \(id), \"numbers\": [\(payload)]}" }
    try world.sync("[\(payload)]", "Number")
    #expect(try world.count("Number") == depth)
    #expect(try world.objects("Number").filter { $0.contains("parent=") }.count == depth - 1)
  }

  private func permutations(_ values: [Int]) -> [[Int]] {
    guard values.count > 1 else { return [values] }
    return values.flatMap { first in permutations(values.filter { $0 != first }).map { [first] + $0 } }
  }
}
