import Records
import Testing

@testable import SyncEngine

@Suite("3.3, 3.5: Under which keys attributes are found")
struct AttributeKeyTests {
  private func value(
    of attribute: AttributeDescription, in members: String, style: KeyStyle = .snakeCase
  ) throws -> String? {
    let store = try TestStore(.entity("Model", [attribute]))
    try store.sync("{\"id\":1,\(members)}", as: "Model", convention: MappingConvention(keyStyle: style))
    return try store.rows("Model").first?.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
  }

  @Test(
    arguments: [
      ("projectID", nil, #""project_id":"p""#, "p"), ("projectID", nil, #""projectID":"p""#, "p"),
      ("projectID", nil, #""projectId":"p""#, nil), ("projectID", nil, #""projectID":"q","project_id":"p""#, "p"),
      ("userIDs", nil, #""user_ids":"p""#, "p"), ("userIDs", nil, #""user_i_ds":"p""#, "p"),
      ("fullName", "name", #""name":"p""#, "p"), ("fullName", "name", #""full_name":"p""#, nil),
      ("fullName", "Display-Name", #""Display-Name":"p""#, "p"),
      ("state", "state.id", #""state":{"id":"p"}"#, "p"),
      ("state", "state.id", #""state.id":"p","state":{"id":"q"}"#, "p"),
      ("state", "state.id", #""state":{}"#, nil), ("state", "state.id", #""state":null"#, nil),
      ("state", "state.id", #""state":"id""#, nil), ("state", "state.id", #""state":[{"id":"p"}]"#, nil),
      ("mail", "profile.contact.email", #""profile":{"contact":{"email":"p"}}"#, "p"),
      ("mail", "profile.contactEmail", #""profile":{"contact_email":"p"}"#, "p"),
      ("mail", "a..b", #""a":{"":{"b":"p"}}"#, "p"),
    ] as [(String, String?, String, String?)])
  func snakeCase(_ name: String, _ key: String?, _ members: String, _ expected: String?) throws {
    #expect(try value(of: .optional(name, .string, key: key), in: members) == expected)
  }

  @Test(
    arguments: [
      ("projectID", nil, #""projectId":"p""#, "p"), ("projectID", nil, #""projectID":"p""#, "p"),
      ("projectID", nil, #""project_id":"p""#, nil), ("project_id", nil, #""projectId":"p""#, "p"),
      ("mail", "profile.contact_email", #""profile":{"contactEmail":"p"}"#, "p"),
      ("mail", "profile.contact_email", #""profile":{"contact_email":"p"}"#, "p"),
    ] as [(String, String?, String, String?)])
  func camelCase(_ name: String, _ key: String?, _ members: String, _ expected: String?) throws {
    #expect(try value(of: .optional(name, .string, key: key), in: members, style: .camelCase) == expected)
  }

  @Test func anUnreadableValueUnderOneKeyDoesNotHideAReadableOne() throws {
    #expect(try value(of: .optional("projectID", .int64), in: #""project_id":"x","projectID":5"#) == "5")
    #expect(try value(of: .optional("projectID", .int64), in: #""project_id":null,"projectID":5"#) == "5")
  }

  @Test func rowsWithOtherKeysInOtherOrdersAreReadAlike() throws {
    let store = try TestStore(
      .entity("Model", [.optional("a", .int64), .optional("b", .int64), .optional("c", .int64)]))
    try store.sync(
      """
      [{"id":1,"a":1,"b":2,"c":3},{"c":3,"b":2,"a":1,"id":2},{"x":0,"id":3,"y":{"a":9},"b":2},{"id":4},
       {"a":1,"id":5,"a":2},{"id":6,"a":1,"b":2,"c":3,"d":4,"e":5}]
      """, as: "Model")
    #expect(
      try store.rows("Model") == ["1: a=1 b=2 c=3", "2: a=1 b=2 c=3", "3: b=2", "4:", "5: a=2", "6: a=1 b=2 c=3"])
  }
}
