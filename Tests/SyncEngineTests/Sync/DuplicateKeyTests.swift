import Records
import Testing

@testable import SyncEngine

/// Objects that have one key twice.
@Suite("JSON: Of equal keys in one object the last wins, and the report lists the others")
struct DuplicateKeyTests {
  private func makeStore() throws -> TestStore {
    try TestStore(
      .entity("Model", [.optional("name", .string)], [.toOne("owner", "Model"), .toMany("friends", "Model")]))
  }

  @Test(
    arguments: [
      (#"[{"id":1,"name":"a","name":"b"}]"#, ["1: name=b"], ["/0/name"]),
      (#"[{"id":1,"name":"a","\u006eame":null}]"#, ["1:"], ["/0/name"]),
      (#"[{"id":1,"id":2,"name":"a"}]"#, ["2: name=a"], ["/0/id"]),
      (#"[{"id":1,"name":"a","name":"b","name":"c"}]"#, ["1: name=c"], ["/0/name", "/0/name"]),
      (#"[{"id":1},{"id":2,"owner_id":2,"owner_id":1}]"#, ["1:", "2: owner=1"], ["/1/owner_id"]),
      (#"[{"id":1,"owner":{"id":2,"name":"a","name":"b"}}]"#, ["1: owner=2", "2: name=b"], ["/0/owner/name"]),
      // What the model doesn't read, and one key each in several objects.
      (#"[{"id":1,"other":1,"other":2,"friends":[{"id":2},{"id":3}]}]"#, ["1: friends=2,3", "2:", "3:"], []),
    ] as [(String, [String], [String])])
  func theLastWins(_ payload: String, _ rows: [String], _ pointers: [String]) throws {
    let store = try makeStore()
    for time in 1...2 {
      let report = try store.sync(payload, as: "Model") { $0.missing = .keep }
      #expect(report.duplicateKeys.map(\.pointer) == pointers, "time \(time)")
      #expect(report.duplicateKeys.allSatisfy { $0.entity == "Model" })
      #expect(try store.rows("Model") == rows)
    }
  }

  @Test(
    "In a Codable value, at whatever depth, and in each object that a key with dots leads through; not in what nobody reads"
  )
  func nestedObjects() throws {
    let store = try TestStore(
      .entity(
        "Model",
        [
          .optional("place", .composite), .optional("mail", .string, key: "contact.mail"),
          .optional("city", .string, key: "contact.post.city"), .optional("zip", .int64, key: "contact.post.zip"),
        ]))
    for (members, place, pointers) in [
      (#""place":{"a":1,"a":2}"#, #" place={"a":2}"#, ["/0/place"]),
      (#""place":[{"b":{"a":1,"a":2,"a":3}}]"#, #" place=[{"b":{"a":3}}]"#, ["/0/place"]),
      (#""place":{"a":1}"#, #" place={"a":1}"#, []),
      (#""contact":{"mail":"x"},"contact":{"mail":"y"}"#, " mail=y", ["/0/contact"]),
      (#""contact":{"mail":"x","mail":"y"}"#, " mail=y", ["/0/contact/mail"]),
      (#""contact":{"fax":"x","fax":"y"}"#, "", []),
      (#""contact.mail":"z","contact":{"mail":"x","mail":"y"}"#, " mail=z", []),
      (
        #""contact":{"post":{"zip":1},"post":{"city":"a","zip":2,"zip":3}}"#, " city=a zip=3",
        ["/0/contact/post", "/0/contact/post/zip"]
      ),
    ] as [(String, String, [String])] {
      try store.sync("[]", as: "Model")
      let report = try store.sync("[{\"id\":1,\(members)}]", as: "Model")
      #expect(try store.rows("Model") == ["1:\(place)"])
      #expect(report.duplicateKeys.map(\.pointer) == pointers, "\(members)")
      #expect(report.replacedValues.isEmpty)
    }
  }

  @Test func theDescriptionCountsThem() throws {
    let report = try makeStore().sync(#"{"id":1,"name":"a","name":"b"}"#, as: "Model")
    #expect("\(report)".contains("1 duplicate key"))
    #expect(report.duplicateKeys.first?.value == #"b"# && report.duplicateKeys.first?.row == 0)
  }
}
