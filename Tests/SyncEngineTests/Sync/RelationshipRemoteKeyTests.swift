import Records
import Testing

@testable import SyncEngine

@Suite("3.6, B-9: Relationships with a payload key of their own: the value shows whether it names rows or brings them")
struct RelationshipRemoteKeyTests {
  @Test(arguments: ["lead", "meta.lead"], [KeyStyle.snakeCase, .camelCase])
  func allShapesUnderOneKey(_ key: String, _ style: KeyStyle) throws {
    func object(_ value: String) -> String {
      key.contains(".") ? "{\"id\":7,\"meta\":{\"lead\":\(value)}}" : "{\"id\":7,\"lead\":\(value)}"
    }
    let convention = MappingConvention(keyStyle: style)
    for (start, value, one) in [
      ("null", "2", "2"), ("null", #"{"id":2,"name":"x"}"#, "2"), ("null", #"{"id":5,"name":"new"}"#, "5"),
      ("1", "null", ""),
      ("1", "[2]", "1"), ("1", #""2""#, "1"), ("1", "99", "1"),
    ] {
      let store = try TestStore(
        .entity("User", [.optional("name", .string)]), .entity("Item", [], [.toOne("owner", "User", key: key)]))
      try store.sync(#"[{"id":1},{"id":2}]"#, as: "User")
      try store.sync(object(start), as: "Item", convention: convention)
      try store.sync(object(value), as: "Item", convention: convention)
      #expect(try store.rows("Item") == ["7:" + (one.isEmpty ? "" : " owner=\(one)")], "\(value)")
    }
    for (value, many) in [
      ("[2,1]", "1,2"), (#"[{"id":2},{"id":5}]"#, "2,5"), ("[]", ""), ("null", ""), (#"[2,{"id":1}]"#, "1"), ("2", "1"),
      (#"{"id":2}"#, "1"),
    ] {
      let store = try TestStore(
        .entity("User", [.optional("name", .string)]), .entity("Item", [], [.toMany("owners", "User", key: key)]))
      try store.sync(#"[{"id":1},{"id":2}]"#, as: "User")
      try store.sync(object("[1]"), as: "Item", convention: convention)
      try store.sync(object(value), as: "Item", convention: convention)
      #expect(try store.rows("Item") == ["7:" + (many.isEmpty ? "" : " owners=\(many)")], "\(value)")
    }
  }

  @Test(
    "10.4: which of several keys counts",
    arguments: [
      // The conventional key for identities is not looked for when there is a key of its own; the name is, for objects.
      (#"{"id":7,"owner_id":2}"#, ""), (#"{"id":7,"owner":{"id":2}}"#, "2"), (#"{"id":7,"owner":2}"#, ""),
      (#"{"id":7,"lead":1,"owner":{"id":2}}"#, "1"), (#"{"id":7,"lead":null,"owner":{"id":2}}"#, ""),
    ])
  func otherKeysBesideIt(_ payload: String, _ owner: String) throws {
    let store = try TestStore(.entity("User"), .entity("Item", [], [.toOne("owner", "User", key: "lead")]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "User")
    try store.sync(payload, as: "Item")
    #expect(try store.rows("Item") == ["7:" + (owner.isEmpty ? "" : " owner=\(owner)")])
  }

  @Test(arguments: [
    (KeyStyle.snakeCase, #"{"id":7,"project_owner_id":1}"#), (.snakeCase, #"{"id":7,"projectOwner_id":1}"#),
    (.camelCase, #"{"id":7,"projectOwnerId":1}"#), (.camelCase, #"{"id":7,"projectOwner":{"id":1}}"#),
    (.snakeCase, #"{"id":7,"project_owner":{"id":1}}"#),
  ])
  func conventionalKeysFollowTheStyle(_ style: KeyStyle, _ payload: String) throws {
    let store = try TestStore(.entity("User"), .entity("Item", [], [.toOne("projectOwner", "User")]))
    try store.sync(#"[{"id":1}]"#, as: "User")
    try store.sync(payload, as: "Item", convention: MappingConvention(keyStyle: style))
    #expect(try store.rows("Item") == ["7: projectOwner=1"])
  }
}
