import Records
import Testing

@testable import SyncEngine

@Suite("3.4, 3.7, B-1, B-2: Under which keys the identity of a row is found")
struct IdentityKeyTests {
  struct Model: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var entity: EntityDescription

    init(
      _ description: String, identity: AttributeDescription, remote: String? = nil, other: AttributeDescription? = nil
    ) {
      testDescription = description
      entity = EntityDescription(
        name: "Model", attributes: [identity] + (other.map { [$0] } ?? []), identity: identity.name,
        identityRemoteKey: remote)
    }
  }

  private static let usual = ["id", "remote_id", "remoteID", "remoteId"]

  @Test(
    arguments: [
      (Model("id", identity: .required("id", .int64)), [], usual),
      (Model("remoteID", identity: .required("remoteID", .int64)), [], usual),
      (Model("@PrimaryKey xid", identity: .required("xid", .int64)), ["xid"], usual),
      (
        Model("@PrimaryKey(remote:) xid", identity: .required("xid", .int64), remote: "external_id"), ["external_id"],
        usual
      ),
      (Model("@RemoteKey id", identity: .required("id", .int64, key: "uuid")), ["uuid"], usual),
      (Model("@PrimaryKey @RemoteKey x", identity: .required("x", .int64, key: "k")), ["k"], usual),
      (Model("both keys", identity: .required("x", .int64, key: "b"), remote: "a"), ["a"], usual),
      (Model("empty keys", identity: .required("xid", .int64, key: ""), remote: ""), ["xid"], usual),
      (Model("camel name", identity: .required("externalID", .int64)), ["external_id", "externalID"], usual),
      (
        Model("xid beside id", identity: .required("xid", .int64), other: .optional("id", .int64)), ["xid"],
        ["remote_id", "remoteID", "remoteId"]
      ),
      (
        Model("id beside remoteID", identity: .required("id", .int64), other: .optional("remoteID", .int64)), [],
        ["id", "remoteId"]
      ),
      (
        Model(
          "xid beside a remote key id", identity: .required("xid", .int64), other: .optional("n", .int64, key: "id")),
        ["xid"], ["remote_id", "remoteID", "remoteId"]
      ),
    ] as [(Model, [String], [String])])
  func snakeCaseKeys(_ model: Model, _ own: [String], _ aliases: [String]) {
    let keys = IdentityKeys(of: model.entity, style: .snakeCase)
    #expect(keys.own == own)
    #expect(keys.aliases == aliases)
  }

  @Test(
    arguments: [
      (Model("id", identity: .required("id", .int64)), [], ["id", "remoteID", "remoteId", "remote_id"]),
      (
        Model("externalID", identity: .required("externalID", .int64)), ["externalId", "externalID"],
        ["id", "remoteID", "remoteId", "remote_id"]
      ),
    ] as [(Model, [String], [String])])
  func camelCaseKeys(_ model: Model, _ own: [String], _ aliases: [String]) {
    let keys = IdentityKeys(of: model.entity, style: .camelCase)
    #expect(keys.own == own)
    #expect(keys.aliases == aliases)
  }

  @Test(
    arguments: [
      // Converted like every other value.
      (#"{"id":42.9,"n":1}"#, "42"), (#"{"id":"42","n":1}"#, "42"), (#"{"id":true,"n":1}"#, "1"),
      // The next key is tried where one is null or unreadable.
      (#"{"id":null,"remote_id":9,"n":1}"#, "9"), (#"{"id":"x","remoteID":9,"n":1}"#, "9"),
      (#"{"remoteId":9,"n":1}"#, "9"),
      (#"{"id":1,"remote_id":9,"n":1}"#, "1"),
      // A row without identity is skipped.
      (#"{"id":null,"n":1}"#, nil), (#"{"n":1}"#, nil), (#"{"id":"x","n":1}"#, nil), (#"{"id":1e300,"n":1}"#, nil),
      (#"{"id":{"id":1},"n":1}"#, nil),
    ] as [(String, String?)])
  func findsTheUsualNames(_ payload: String, _ identity: String?) throws {
    let store = try TestStore(.entity("Model", [.required("n", .int64)]))
    try store.sync(payload, as: "Model")
    #expect(try store.rows("Model") == (identity.map { ["\($0): n=1"] } ?? []))
  }

  @Test(
    arguments: [
      (#"{"external_id":5}"#, "5"), (#"{"id":5}"#, "5"),
      // The model says where its identity is; something else under that key is no reason to look elsewhere.
      (#"{"external_id":null,"id":5}"#, nil), (#"{"external_id":[],"id":5}"#, nil),
    ] as [(String, String?)])
  func findsTheNamedKeyFirst(_ payload: String, _ identity: String?) throws {
    let store = try TestStore(
      EntityDescription(
        name: "Model", attributes: [.required("xid", .int64)], identity: "xid", identityRemoteKey: "external_id"))
    try store.sync(payload, as: "Model")
    #expect(try store.rows("Model") == (identity.map { ["\($0):"] } ?? []))
  }

  @Test func dottedKeysLeadIntoObjects() throws {
    let store = try TestStore(
      EntityDescription(name: "Model", attributes: [.required("id", .int64, key: "meta.key")], identity: "id"))
    try store.sync(#"[{"meta":{"key":3}},{"meta.key":4},{"meta":null},{"meta":{}}]"#, as: "Model")
    #expect(try store.rows("Model") == ["3:", "4:"])
  }

  @Test func textsThatLookAlikeAreOneIdentity() throws {
    let store = try TestStore(.entity("Model", id: .string, [.required("n", .int64)]))
    // The same letter as one scalar and as two.
    try store.sync("[{\"id\":\"caf\u{E9}\",\"n\":1}]", as: "Model")
    let report = try store.sync("[{\"id\":\"cafe\u{301}\",\"n\":2}]", as: "Model")
    #expect(report.entities["Model"] == .init(updated: 1))
  }

  @Test(arguments: [
    (AttributeType.int8, "5", "300"), (.uint64, "18446744073709551615", "-1"), (.string, #""a""#, "[]"),
    (.uuid, #""6F1C2B3A-0D4E-4F5A-8B6C-7D8E9F0A1B2C""#, #""x""#), (.double, "1.5", #""x""#), (.bool, "true", "7"),
    (.decimal, "1.25", #""x""#), (.date, #""2020-01-01""#, "false"), (.url, #""https://a.b""#, "1"),
    (.data, #""aGk=""#, "1"),
  ])
  func everyTypeCanBeAnIdentity(_ type: AttributeType, _ good: String, _ bad: String) throws {
    let store = try TestStore(.entity("Model", id: type, [.required("n", .int64)]))
    try store.sync("[{\"id\":\(good),\"n\":1},{\"id\":\(bad),\"n\":2}]", as: "Model")
    let report = try store.sync("[{\"id\":\(good),\"n\":3}]", as: "Model")
    #expect(report.entities["Model"] == .init(updated: 1))
    #expect(try store.rows("Model").count == 1)
  }
}
