import Testing

@testable import SyncEngine

/// Newline-delimited JSON: the same as an array of its lines.
@Suite("JSON: Newline-delimited text is what an array of its lines is") struct JSONLinesTests {
  private func text(_ json: String) throws -> String {
    let document = try PayloadDocument(json: Array(json.utf8), format: .ndjson)
    return document.read { root in
      root.elements.map { row in
        row.kind == .object
          ? row.members.map { "\($0.key.string)=\($0.value.string)" }.joined(separator: " ") : row.string
      }.joined(separator: "|")
    }
  }

  @Test(arguments: [
    ("", ""), ("\n\n", ""), (" \r\n\t\n", ""),
    (#"{"a":1}"#, "a=1"), ("{\"a\":1}\n", "a=1"),
    ("{\"a\":1}\n{\"a\":2}", "a=1|a=2"), ("{\"a\":1}\r\n{\"a\":2}\r\n", "a=1|a=2"),
    ("\n\n{\"a\":1}\n  \n\r\n{\"a\":2}\n\n", "a=1|a=2"),
    ("  {\"a\" : \"x\\ny\"}  \n\"s\"\n17", "a=x\ny|s|17"), ("\u{FEFF}{\"a\":1}\n{\"a\":2}", "a=1|a=2"),
    ("\u{FEFF}", ""),
  ])
  func readsEveryLine(_ json: String, _ expected: String) throws {
    #expect(try text(json) == expected)
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":}\n", 2, 13, JSONFault.unexpected(expected: "a value")),
    ("{\"a\":1}\n{\"a\":1\n{\"a\":2}", 2, 14, .unexpectedEnd),
    ("{\"a\":1}{\"a\":2}\n", 1, 7, .textAfterDocument),
    ("{\"a\":1}\n\n{\"a\":2}]\n", 3, 16, .textAfterDocument),
    ("{\"a\":1}\n{\"a\":\"x\n\"}", 2, 15, .controlCharacterInString(10)),
    ("{\"a\":1}\n\n{\"a\":\"x", 3, 14, .unclosedString),
    ("[{\"a\":1},\n{\"a\":2}]", 1, 9, .unexpectedEnd),
    ("{\"a\":1}\n{\"a\":01}", 2, 13, .invalidNumber), ("\u{FEFF}{\"a\":1}\n{\"a\":01}", 2, 16, .invalidNumber),
    ("{\"a\":1}\n\u{FEFF}{\"a\":2}", 2, 8, .unexpected(expected: "a value")),
  ])
  func namesTheLineAndTheByte(_ json: String, _ line: Int, _ offset: Int, _ fault: JSONFault) {
    #expect(throws: PayloadError.malformedLine(line, offset: offset, fault: fault)) { try text(json) }
  }

  @Test func saysItInASentence() {
    let error = #expect(throws: PayloadError.self) { try text("{\"a\":1}\n{\"a\":}\n") }
    #expect(error.map { "\($0)" } == "malformed JSON in line 2, at byte 13: expected a value")
  }

  @Test("A document of lines is a collection; its rows are counted from 0 in pointers")
  func syncs() throws {
    let store = try TestStore(.entity("Model", [.optional("n", .int64)]))
    let document = try PayloadDocument(
      json: Array("{\"id\":1,\"n\":1}\n\n{\"id\":2,\"n\":\"x\"}\n".utf8), format: .ndjson)
    let report = try store.sync(SyncRequest(entity: "Model", document: document, form: .collectionOrItem))
    #expect(try store.rows("Model") == ["1: n=1", "2:"])
    #expect(report.replacedValues.map(\.pointer) == ["/1/n"])
  }
}
