import Records
import Testing

@testable import SyncEngine

/// Where the JSON standard (RFC 8259) leaves a parser free.
@Suite("JSON: What the standard leaves open is decided, and pinned here")
struct JSONFreedomTests {
  private func parse(_ bytes: [UInt8]) throws -> SampleJSON {
    try PayloadDocument(json: bytes).read { SampleJSON($0) }
  }

  private func text(_ text: String) throws -> SampleJSON { try parse(Array(text.utf8)) }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  @Test(
    "A byte-order mark in front of the text says nothing; places are counted with it",
    arguments: ["[1]", " [1]", "17", #""a""#, "true", #"{"a":"\u00e9"}"#, "[[],{}]"])
  func byteOrderMarks(_ json: String) throws {
    #expect(try parse(Self.mark + Array(json.utf8)) == text(json))
    let error = #expect(throws: PayloadError.self) { try parse(Self.mark + Array("\(json),".utf8)) }
    #expect(error == .malformed(offset: 3 + json.utf8.count, fault: .textAfterDocument))
  }

  @Test("Anywhere else it is refused, and so is one of another encoding, or nothing but a mark")
  func otherMarks() {
    for bytes in [Self.mark + Self.mark + Array("[1]".utf8), Array(" ".utf8) + Self.mark + Array("[1]".utf8)] {
      #expect(throws: PayloadError.self) { try parse(bytes) }
    }
    #expect(throws: PayloadError.malformed(offset: 0, fault: .emptyText)) { try parse(Self.mark) }
    #expect(throws: PayloadError.malformed(offset: 4, fault: .invalidUTF8)) {
      try parse(Self.mark + [0x22, 0xFF, 0x22])
    }
    for bytes: [UInt8] in [[0xFE, 0xFF, 0, 0x5B, 0, 0x5D], [0xFF, 0xFE, 0x5B, 0, 0x5D, 0]] {
      #expect(throws: PayloadError.malformed(offset: 0, fault: .invalidUTF8)) { try parse(bytes) }
    }
  }

  @Test(
    "Numbers of any size and length are kept as their text",
    arguments: [
      "1e400", "-1e-400", "123123e100000", "0.4e0066999999999999", "1e-2147483649", String(repeating: "9", count: 5000),
      "0." + String(repeating: "0", count: 5000) + "1",
    ])
  func numbers(_ number: String) throws {
    #expect(try text("[\(number)]") == .array([.number(number)]))
  }

  @Test(
    "Any character may stand in a text, U+0000 and noncharacters too, escaped or not",
    arguments: [
      (#""\u0000""#, [0]), (#""\uFFFF\uFDD0""#, [0xFFFF, 0xFDD0]), (#""\uDBFF\uDFFE""#, [0x10FFFE]),
      ("\"\u{FEFF}\"", [0xFEFF]), ("\"\u{7F}\u{2028}\"", [0x7F, 0x2028]),
    ] as [(String, [UInt32])])
  func characters(_ json: String, _ scalars: [UInt32]) throws {
    var expected = String.UnicodeScalarView()
    expected.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
    #expect(try text(json) == .string(String(expected)))
  }

  @Test("Keys that differ only in their Unicode form are two keys")
  func normalization() throws {
    let document = try PayloadDocument(json: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
    document.read { root in
      #expect(root.member("\u{E9}")?.string == "1")
      #expect(root.member("e\u{301}")?.string == "2")
    }
  }

  @Test(
    "A fault in a row of a sync is an error with its place, and nothing is written", arguments: [#""\udead""#, "01"])
  func faultsInRows(_ value: String) throws {
    let store = try TestStore(.entity("Model", [.optional("v", .string)]))
    #expect {
      try store.sync("[{\"id\":1,\"v\":\"a\"},{\"id\":2,\"v\":\(value)}]", as: "Model")
    } throws: {
      let offset = value == "01" ? 30 : 31
      return "\($0)".contains("at byte \(offset)")
    }
    #expect(try store.rows("Model").isEmpty)
  }
}
