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

  @Test func theDescriptionCountsThem() throws {
    let report = try makeStore().sync(#"{"id":1,"name":"a","name":"b"}"#, as: "Model")
    #expect("\(report)".contains("1 duplicate key"))
    #expect(report.duplicateKeys.first?.value == #"b"# && report.duplicateKeys.first?.row == 0)
  }
}
