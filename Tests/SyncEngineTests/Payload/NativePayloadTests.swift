import FoundationEssentials
import Testing

@testable import SyncEngine

@Suite("5: Documents that are made of native values")
struct NativePayloadTests {
  @Test func keepsKindsAndValues() throws {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let cases: [(Any, PayloadKind, String)] = [
      ("text", .string, "text"), (7, .integer, "7"), (Int8(-7), .integer, "-7"),
      (UInt64.max, .integer, "\(UInt64.max)"),
      (5.0, .nativeReal, "5.0"), (Float(0.1), .nativeReal, "0.1"), (Double.nan, .nativeReal, "nan"),
      (Decimal(string: "12.50") ?? 0, .decimal, "12.5"), (URL(string: "https://a.b/c") as Any, .url, "https://a.b/c"),
      (Data([1, 2, 3]), .data, "\u{1}\u{2}\u{3}"),
    ]
    for (value, kind, text) in cases {
      let document = try PayloadDocument(value)
      document.read { root in
        #expect(root.kind == kind, "\(value)")
        #expect(root.string == text, "\(value)")
      }
    }
    for (value, kind) in [
      (Optional("x") as Any, PayloadKind.string), (Optional(5) as Any, .integer), (Optional(true) as Any, .bool),
      (Optional(1.5) as Any, .nativeReal), (Optional([1]) as Any, .array),
    ] {
      try PayloadDocument(value).read { #expect($0.kind == kind, "\(value)") }
    }
    try PayloadDocument(true).read { #expect($0.kind == .bool && $0.isTrue && $0.isNativeBool) }
    try PayloadDocument(uuid).read { #expect(Array($0.bytes) == Array(1...16)) }
    try PayloadDocument(Date(timeIntervalSinceReferenceDate: 12.5)).read { root in
      #expect(root.kind == .date)
    }
    try PayloadDocument(Optional<Any>.none as Any).read { #expect($0.isNull) }
  }

  @Test func nestsContainers() throws {
    let document = try PayloadDocument(["a": [1, ["b": "x"], [Any]()] as [Any]])
    document.read { root in
      #expect(
        SampleJSON(root)
          == .object([
            .init(
              key: "a",
              value: .array([.number("1"), .object([.init(key: "b", value: .string("x"))]), .array([])]))
          ]))
    }
  }

  @Test func namesTheValueThatHasNoPlace() {
    struct Point {}
    #expect {
      try PayloadDocument([["ok": 1], ["owner": ["spot": Point()]]] as [Any])
    } throws: { error in
      guard case PayloadError.unsupportedValue(let path, let type)? = error as? PayloadError else { return false }
      return path == "[1].owner.spot" && type.contains("Point")
    }
  }

  @Test func limitsDepth() throws {
    var value: Any = 1
    for _ in 0..<PayloadDocument.depthMax { value = [value] }
    _ = try PayloadDocument(value)
    #expect(throws: PayloadError.tooDeep(depthMax: PayloadDocument.depthMax)) { try PayloadDocument([value]) }
  }

  @Test func asksTypesThatItDoesNotKnow() throws {
    let document = try PayloadDocument(["flag": Flag(isSet: true), "list": [Flag(isSet: false)]])
    document.read { root in
      #expect(root.member("flag")?.isTrue == true)
      #expect(root.member("flag")?.isNativeBool == false)
      #expect(root.member("list")?.elements.map(\.isTrue) == [false])
    }
  }
}

/// Stands for the number objects of a layer above.
private struct Flag: PayloadConvertible {
  let isSet: Bool

  func append(to builder: inout PayloadBuilder) {
    builder.append(bool: isSet, isNative: false)
  }
}
