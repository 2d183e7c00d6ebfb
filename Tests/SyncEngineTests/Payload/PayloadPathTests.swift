import Testing

@testable import SyncEngine

/// Envelopes: the rows are somewhere inside of the payload.
@Suite struct PayloadPathTests {
  private func find(_ path: String, in json: String) throws -> (text: String, pointer: String) {
    try PayloadDocument(json: Array(json.utf8)).read { root in
      let (value, pointer) = try PayloadPath(path).find(in: root)
      return (value.kind == .array ? "\(value.count)" : value.string, pointer)
    }
  }

  @Test(arguments: [
    ("", #""x""#, "x", ""),
    ("a", #"{"a":"x"}"#, "x", "/a"),
    ("a.b.c", #"{"a":{"b":{"c":"x"}}}"#, "x", "/a/b/c"),
    ("a.1.b", #"{"a":[0,{"b":"x"}]}"#, "x", "/a/1/b"),
    ("0", #"["x"]"#, "x", "/0"),
    // A key may have dots; it is taken before a way through members.
    ("a.b", #"{"a":{"b":"y"},"a.b":"x"}"#, "x", "/a.b"),
    ("a.b.c", #"{"a":{"b.c":"x"}}"#, "x", "/a/b.c"),
    // The last of several members counts, as everywhere.
    ("a", #"{"a":"y","a":"x"}"#, "x", "/a"),
    ("é", #"{"é":"x"}"#, "x", "/é"),
  ])
  func finds(_ path: String, _ json: String, _ expected: String, _ pointer: String) throws {
    let found = try find(path, in: json)
    #expect(found == (expected, pointer))
  }

  @Test(arguments: [
    ("a", "{}", "there is nothing at a: the payload has no a"),
    ("a.b.c", #"{"a":{"b":{}}}"#, "there is nothing at a.b.c: a.b has no c"),
    ("a.b", #"{"a":null}"#, "there is nothing at a.b: a has no b"),
    ("a.2", #"{"a":[1,2]}"#, "there is nothing at a.2: a has no 2"),
    ("a.-1", #"{"a":[1,2]}"#, "there is nothing at a.-1: a has no -1"),
    ("a.x", #"{"a":[1,2]}"#, "there is nothing at a.x: a has no x"),
    ("a.b", #"{"a":"text"}"#, "there is nothing at a.b: a has no b"),
  ])
  func saysWhatIsMissing(_ path: String, _ json: String, _ expected: String) {
    let error = #expect(throws: PayloadPath.Missing.self) { try find(path, in: json) }
    #expect(error?.description == expected)
  }

  @Test(
    "A path that leads nowhere, or to no rows, is an error that names it, and deletes nothing",
    arguments: [
      ("items", #"{"data":[]}"#, "there is nothing at items: the payload has no items"),
      ("items", #"{"items":null}"#, "Expected array of dictionaries at items"),
      ("items", #"{"items":3}"#, "Expected array of dictionaries at items"),
      ("items", #"{"items":[{"id":1},2]}"#, "Expected array of dictionaries at items"),
    ])
  func refuses(_ path: String, _ json: String, _ reason: String) throws {
    let store = try TestStore(.entity("Model"))
    try store.sync(#"[{"id":1}]"#, as: "Model")
    #expect(throws: SyncError.invalidPayload(model: "Model", reason: reason)) {
      try store.sync(json, as: "Model") {
        $0.form = .collection
        $0.path = PayloadPath(path)
      }
    }
    #expect(try store.rows("Model") == ["1:"])
  }
}
