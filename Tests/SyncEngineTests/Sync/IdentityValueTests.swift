import Records
import Testing

@testable import SyncEngine

@Suite("3.4: Identities that nobody would choose, and keys that only look alike")
struct IdentityValueTests {
  /// The rows that a collection of one row with this identity leaves, and whether the row was skipped. A second row makes sure
  /// that the payload has an identity.
  private func rows(_ identity: String, as type: AttributeType) throws -> [String] {
    let store = try TestStore(.entity("Model", id: type, [.optional("n", .int64)]))
    let other = type == .string ? #""other""# : "99"
    // Twice, so that the row has to be found again by the same identity.
    for n in 1...2 {
      let payload = #"[{"id":\#(identity),"n":\#(n)},{"id":\#(other)}]"#
      let report = try store.sync(payload, as: "Model")
      #expect(report.skippedRows.isEmpty == (try store.rows("Model").count == 2))
    }
    return try store.rows("Model").filter { $0 != "other:" && $0 != "99:" }
  }

  @Test(
    arguments: [
      (#""""#, []), (#"" ""#, []), ("0", ["0: n=2"]), ("-1", ["-1: n=2"]), ("-0", ["0: n=2"]),
      ("9223372036854775807", ["9223372036854775807: n=2"]), ("9223372036854775808", []),
      ("-9223372036854775808", ["-9223372036854775808: n=2"]), ("1e400", []), ("true", ["1: n=2"]), ("null", []),
      ("[]", []),
      ("{}", []),
    ] as [(String, [String])])
  func integers(_ identity: String, _ expected: [String]) throws {
    #expect(try rows(identity, as: .int64) == expected)
  }

  @Test(
    arguments: [
      ("9223372036854775808", ["9223372036854775808: n=2"]), ("18446744073709551615", ["18446744073709551615: n=2"]),
      ("18446744073709551616", []), ("-1", []), ("0", ["0: n=2"]),
    ] as [(String, [String])])
  func unsignedIntegers(_ identity: String, _ expected: [String]) throws {
    #expect(try rows(identity, as: .uint64) == expected)
  }

  @Test(
    arguments: [
      (#""""#, [": n=2"]), (#"" ""#, [" : n=2"]), (#""\u0000""#, ["\0: n=2"]), ("0", ["0: n=2"]), ("-1", ["-1: n=2"]),
      ("9223372036854775808", ["9223372036854775808: n=2"]),
    ] as [(String, [String])])
  func texts(_ identity: String, _ expected: [String]) throws {
    #expect(try rows(identity, as: .string) == expected)
  }

  @Test("Long texts are whole identities: two that differ in the last of 1,000 characters are two rows")
  func longTexts() throws {
    let store = try TestStore(.entity("Model", id: .string))
    let long = String(repeating: "x", count: 999)
    let payload = #"[{"id":"\#(long)a"},{"id":"\#(long)b"},{"id":"\#(long)"}]"#
    try store.sync(payload, as: "Model")
    #expect(try store.rows("Model") == ["\(long):", "\(long)a:", "\(long)b:"])
    #expect(try store.sync(payload, as: "Model").changedNothing)
    try store.sync(#"[{"id":"\#(long)b"}]"#, as: "Model")
    #expect(try store.rows("Model") == ["\(long)b:"])
  }

  @Test("Keys are compared byte by byte, identities and texts as Swift compares them")
  func normalForms() throws {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    let store = try TestStore(.entity("Model", id: .string, [.optional("n", .int64, key: composed)]))
    for document in [
      try PayloadDocument(json: Array(#"[{"id":"\#(composed)","\#(composed)":1,"\#(decomposed)":2}]"#.utf8)),
      try PayloadDocument(json: Array(#"[{"id":"\#(decomposed)","\#(decomposed)":2,"\#(composed)":1}]"#.utf8)),
      try PayloadDocument([["id": decomposed, composed: 1] as [String: Any]] as [Any]),
    ] {
      try store.sync(SyncRequest(entity: "Model", document: document))
      #expect(try store.rows("Model") == ["\(composed): n=1"])
    }
    let report = try store.sync(#"[{"id":"\#(decomposed)","\#(decomposed)":2}]"#, as: "Model")
    #expect(report.changedNothing)
  }
}
