import FoundationEssentials
import TestSupport
import Testing

@testable import SyncEngine

@Suite("JSON: What the parser makes of JSON text, and what it says about text that isn't")
struct JSONParsingTests {
  private func parse(_ text: String) throws -> SampleJSON {
    try PayloadDocument(json: Array(text.utf8)).read { SampleJSON($0) }
  }

  @Test(arguments: [
    ("null", SampleJSON.null),
    (" true ", .bool(true)),
    ("false", .bool(false)),
    ("0", .number("0")),
    ("-0", .number("-0")),
    ("18446744073709551616000", .number("18446744073709551616000")),
    ("1.50", .number("1.50")),
    ("1e400", .number("1e400")),
    (#""""#, .string("")),
    (#""a\"b\\c\/d\b\f\n\r\t""#, .string("a\"b\\c/d\u{8}\u{C}\n\r\t")),
    (#""\u00e9\u65E5\ud83d\ude80""#, .string("é日🚀")),
    ("[]", .array([])),
    ("[ ]", .array([])),
    ("{}", .object([])),
    ("[[],{}]", .array([.array([]), .object([])])),
    (
      #"{"a":1,"b":[2,"x"]}"#,
      .object([
        .init(key: "a", value: .number("1")), .init(key: "b", value: .array([.number("2"), .string("x")])),
      ])
    ),
    ("\r\n[\t1 ,2 ]\n", .array([.number("1"), .number("2")])),
  ])
  func accepts(_ text: String, _ value: SampleJSON) throws {
    #expect(try parse(text) == value)
  }

  @Test(arguments: [
    ("", 0, JSONFault.emptyText),
    (" \n ", 0, .emptyText),
    ("[1,2", 4, .unexpectedEnd),
    ("{\"a\"", 4, .unexpectedEnd),
    ("{\"a\":", 5, .unexpectedEnd),
    ("[", 1, .unexpectedEnd),
    ("[1 2]", 3, .unexpected(expected: "a comma or ]")),
    ("{\"a\":1 \"b\":2}", 7, .unexpected(expected: "a comma or }")),
    ("{\"a\" 1}", 5, .unexpected(expected: "a colon")),
    ("{a:1}", 1, .unexpected(expected: "a key in double quotes")),
    ("{1:1}", 1, .unexpected(expected: "a key in double quotes")),
    ("{\"a\":1,}", 7, .unexpected(expected: "a key in double quotes")),
    ("[1,]", 3, .unexpected(expected: "a value")),
    ("[,1]", 1, .unexpected(expected: "a value")),
    ("[1}", 2, .unexpected(expected: "a comma or ]")),
    ("[1] 2", 4, .textAfterDocument),
    ("]", 0, .unexpected(expected: "a value")),
    ("nul", 0, .unexpected(expected: "a value")),
    ("[truex]", 1, .unexpected(expected: "a value")),
    ("[tru e]", 1, .unexpected(expected: "a value")),
    ("'a'", 0, .unexpected(expected: "a value")),
    ("[01]", 1, .invalidNumber),
    ("[1.]", 1, .invalidNumber),
    ("[.5]", 1, .unexpected(expected: "a value")),
    ("[-]", 1, .invalidNumber),
    ("[+1]", 1, .unexpected(expected: "a value")),
    ("[1e]", 1, .invalidNumber),
    ("[1.5e+]", 1, .invalidNumber),
    ("[0x10]", 1, .invalidNumber),
    ("[1\"a\"]", 1, .invalidNumber),
    ("[\"a\"b]", 4, .unexpected(expected: "a comma or ]")),
    (#"["\x"]"#, 2, .invalidEscape),
    (#"["ab\u12g4"]"#, 4, .invalidEscape),
    (#"["\u12"]"#, 2, .invalidEscape),
    (#""\ud83d x""#, 1, .loneSurrogate),
    (#""ab\ude80""#, 3, .loneSurrogate),
    (#"{"\ud83d\u0041":1}"#, 2, .loneSurrogate),
    (#"["\ud83d\ud83d\ude80"]"#, 2, .loneSurrogate),
    (#"["\ud83d\ude80\ud83d"]"#, 14, .loneSurrogate),
    ("[\"abc", 1, .unclosedString),
    (#"["a\"]"#, 1, .unclosedString),
    ("[\"a\nb\"]", 3, .controlCharacterInString(10)),
    ("NaN", 0, .unexpected(expected: "a value")),
  ])
  func reportsPlaceAndFault(_ text: String, _ offset: Int, _ fault: JSONFault) {
    #expect(throws: PayloadError.malformed(offset: offset, fault: fault)) { try parse(text) }
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC3, 0x22], 1), ([0x22, 0x61, 0xC0, 0x80, 0x22], 2),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xE2, 0x82, 0x22], 1),
    ] as [([UInt8], Int)])
  func reportsInvalidUTF8(_ bytes: [UInt8], _ offset: Int) {
    #expect(throws: PayloadError.malformed(offset: offset, fault: .invalidUTF8)) { try PayloadDocument(json: bytes) }
  }

  @Test func readsRandomDocuments() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      let value = SampleJSON.random(depth: 4, using: &random)
      let text = value.text(using: &random)
      #expect(try parse(text) == value, "\(text)")
    }
  }

  @Test func survivesDamagedText() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<5000 {
      var bytes = Array(SampleJSON.random(depth: 3, using: &random).text(using: &random).utf8)
      for _ in 0..<Int.random(in: 1..<4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      do {
        // Whatever is accepted must be readable to the last node.
        _ = try PayloadDocument(json: bytes).read { SampleJSON($0) }
      } catch PayloadError.malformed(let offset, _) {
        #expect((0...bytes.count).contains(offset))
      } catch {
        Issue.record("unexpected \(error)")
      }
    }
  }

  @Test func limitsDepth() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    _ = try parse(nested(PayloadDocument.depthMax))
    #expect(throws: PayloadError.tooDeep(depthMax: PayloadDocument.depthMax)) {
      try parse(nested(PayloadDocument.depthMax + 1))
    }
  }

  @Test func theLastOfEqualKeysWins() throws {
    let document = try PayloadDocument(json: Array(#"{"a":1,"b":2,"a":3,"\u0061":4}"#.utf8))
    document.read { root in
      #expect(root.member("a")?.string == "4")
      #expect(root.member("b")?.string == "2")
      #expect(root.member("c") == nil)
      #expect(root.count == 4)
    }
  }

  @Test func dataAndArraysReadAlike() throws {
    let text = #"[{"a":"x"},[1,2.5,null]]"#
    let fromData = try PayloadDocument(json: Data(text.utf8)).read { SampleJSON($0) }
    #expect(fromData == (try parse(text)))
  }
}
