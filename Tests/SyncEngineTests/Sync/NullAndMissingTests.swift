import FoundationEssentials
import Records
import Testing

@testable import SyncEngine

@Suite("4: What absent, null and unreadable values do to new and to existing rows")
struct NullAndMissingTests {
  private static let epoch = "1970-01-01T00:00:00.000Z"
  private static let zeroUUID = "00000000-0000-0000-0000-000000000000"

  /// A type, a value of it, a value that it can't read, and what null becomes when it is required.
  private static let types: [(type: AttributeType, value: String, unreadable: String, nullText: String?)] = [
    (.bool, "true", "7", "false"), (.int8, "5", "300", "0"), (.int16, "5", #""x""#, "0"), (.int32, "5", "[]", "0"),
    (.int64, "5", "{}", "0"), (.uint8, "5", "-1", "0"), (.uint16, "5", #""x""#, "0"), (.uint32, "5", #""x""#, "0"),
    (.uint64, "5", "1e300", "0"), (.float, "1.5", "1e300", "0.0"), (.double, "1.5", #""x""#, "0.0"),
    (.decimal, "1.5", #""x""#, "0"), (.string, #""s""#, "[]", ""), (.date, #""2020-01-01""#, #""2020-02-30""#, epoch),
    (.uuid, #""6F1C2B3A-0D4E-4F5A-8B6C-7D8E9F0A1B2C""#, #""x""#, zeroUUID), (.data, #""aGk=""#, #""!""#, ""),
    (.url, #""https://a.b""#, #""""#, nil),
  ]

  private func store(_ type: AttributeType, isOptional: Bool) throws -> TestStore {
    try TestStore(.entity("Model", [isOptional ? .optional("v", type) : .required("v", type)]))
  }

  private func text(_ json: String, _ type: AttributeType) throws -> String {
    try PayloadDocument(json: Array(json.utf8)).read {
      Coercion.convert($0, to: type)?.value.fieldValue(as: type).reportText ?? ""
    }
  }

  @Test("4.1, 4.3, 6.4: an optional attribute of every type", arguments: 0..<types.count)
  func optionalAttributes(_ position: Int) throws {
    let (type, value, unreadable, _) = Self.types[position]
    let stored = "1: v=\(try text(value, type))"
    for (payload, onNew, onExisting) in [
      (#"{"id":1}"#, "1:", stored), ("{\"id\":1,\"v\":\(value)}", stored, stored), (#"{"id":1,"v":null}"#, "1:", "1:"),
      ("{\"id\":1,\"v\":\(unreadable)}", "1:", "1:"),
    ] {
      let new = try store(type, isOptional: true)
      try new.sync(payload, as: "Model")
      #expect(try new.rows("Model") == [onNew], "\(type) \(payload)")
      let existing = try store(type, isOptional: true)
      try existing.sync("{\"id\":1,\"v\":\(value)}", as: "Model")
      try existing.sync(payload, as: "Model")
      #expect(try existing.rows("Model") == [onExisting], "\(type) \(payload)")
    }
  }

  @Test("4.1, 4.2, 4.3, 6.4: a required attribute of every type", arguments: 0..<types.count)
  func requiredAttributes(_ position: Int) throws {
    let (type, value, unreadable, nullText) = Self.types[position]
    let stored = "1: v=\(try text(value, type))"
    let null = nullText.map { "1: v=\($0)" }
    let broken = type == .date ? "1: v=\(Self.epoch)" : nil
    for (payload, onNew, onExisting) in [
      (#"{"id":1}"#, nil, stored), ("{\"id\":1,\"v\":\(value)}", stored, stored), (#"{"id":1,"v":null}"#, null, null),
      ("{\"id\":1,\"v\":\(unreadable)}", broken, broken),
    ] as [(String, String?, String?)] {
      let new = try store(type, isOptional: false)
      try expect(onNew.map { [$0] }, otherwise: [], after: payload, in: new, "\(type)")
      let existing = try store(type, isOptional: false)
      try existing.sync("{\"id\":1,\"v\":\(value)}", as: "Model")
      try expect(onExisting.map { [$0] }, otherwise: [stored], after: payload, in: existing, "\(type)")
    }
  }

  /// Expects rows, or, if there are none given, a refusal that leaves others.
  private func expect(
    _ rows: [String]?, otherwise untouched: [String], after payload: String, in store: TestStore, _ comment: Comment,
    convention: MappingConvention = MappingConvention()
  ) throws {
    if rows == nil {
      #expect(throws: SyncError.self, comment) { try store.sync(payload, as: "Model", convention: convention) }
    } else {
      try store.sync(payload, as: "Model", convention: convention)
    }
    #expect(try store.rows("Model") == rows ?? untouched, "\(comment) \(payload)")
  }

  @Test(
    arguments: [
      // policy, optional, payload value, new row, existing row (v was 5)
      (UnreadableValuePolicy.replace, true, #""x""#, "1:", "1:"), (.replace, true, "null", "1:", "1:"),
      (.replace, false, #""x""#, nil, nil), (.replace, false, "null", "1: v=0", "1: v=0"),
      (.keep, true, #""x""#, "1:", "1: v=5"), (.keep, true, "null", "1:", "1:"), (.keep, false, #""x""#, nil, "1: v=5"),
      (.keep, false, "null", "1: v=0", "1: v=5"), (.reject, true, #""x""#, nil, nil),
      (.reject, true, "null", "1:", "1:"),
      (.reject, false, #""x""#, nil, nil), (.reject, false, "null", nil, nil),
    ] as [(UnreadableValuePolicy, Bool, String, String?, String?)])
  func policies(
    _ policy: UnreadableValuePolicy, _ isOptional: Bool, _ value: String, _ onNew: String?, _ onExisting: String?
  ) throws {
    let convention = MappingConvention(unreadableValues: policy)
    let payload = "{\"id\":1,\"v\":\(value)}"
    let new = try store(.int64, isOptional: isOptional)
    try expect(onNew.map { [$0] }, otherwise: [], after: payload, in: new, "new", convention: convention)
    let existing = try store(.int64, isOptional: isOptional)
    try existing.sync(#"{"id":1,"v":5}"#, as: "Model")
    try expect(
      onExisting.map { [$0] }, otherwise: ["1: v=5"], after: payload, in: existing, "existing", convention: convention)
  }

  @Test func refusalsNameRowAndKeys() throws {
    let store = try TestStore(.entity("Model", [.required("fullName", .string)]))
    #expect(
      throws: SyncError.invalidPayload(
        model: "Model", reason: "row 1 (id 8) is new and has no fullName (looked for under full_name or fullName)")
    ) { try store.sync(#"[{"id":7,"full_name":"a"},{"id":8}]"#, as: "Model") }
    #expect(
      throws: SyncError.invalidPayload(
        model: "Model", reason: "row 0 (id 7) has the unreadable value […] under full_name for fullName")
    ) { try store.sync(#"[{"id":7,"full_name":["a"]}]"#, as: "Model") }
    let links = try TestStore(.entity("Model", [.required("link", .url)]))
    #expect(
      throws: SyncError.invalidPayload(model: "Model", reason: "row 0 (id 7) has null under link for link")
    ) { try links.sync(#"[{"id":7,"link":null}]"#, as: "Model") }
  }

  @Test("4.4: what is missing on the way to a nested value clears nothing")
  func deepNullsClearAndMissingPathsDoNot() throws {
    let store = try TestStore(.entity("Model", [.optional("mail", .string, key: "profile.contact.email")]))
    try store.sync(#"{"id":1,"profile":{"contact":{"email":"a@b"}}}"#, as: "Model")
    for payload in [#"{"id":1,"profile":{}}"#, #"{"id":1,"profile":null}"#, #"{"id":1,"profile":{"contact":null}}"#] {
      try store.sync(payload, as: "Model")
      #expect(try store.rows("Model") == ["1: mail=a@b"])
    }
    try store.sync(#"{"id":1,"profile":{"contact":{"email":null}}}"#, as: "Model")
    #expect(try store.rows("Model") == ["1:"])
  }

  @Test func theIdentityIsNotWrittenByUpdates() throws {
    let store = try TestStore(.entity("Model", id: .string, [.optional("n", .int64)]))
    try store.sync(#"{"id":"a","n":1}"#, as: "Model")
    let report = try store.sync(#"{"id":"a","n":1}"#, as: "Model")
    #expect(report.entities["Model"] == .init(unchanged: 1))
  }

  @Test func readersNarrowWhatAnAttributeAccepts() throws {
    // What an enum with two cases and an array of texts would ask for.
    let store = try TestStore(
      .entity("Model", [.optional("state", .string), .required("kind", .string), .required("tags", .composite)]),
      reader: { _, attribute in
        switch attribute {
        case "state", "kind":
          AttributeReader { value in value == .string("open") || value == .string("done") ? value : nil }
        case "tags":
          AttributeReader(emptyValue: .composite(Data("[]".utf8))) { value in
            guard case .composite(let json) = value, json.first == UInt8(ascii: "[") else { return nil }
            return value
          }
        default: nil
        }
      })
    try store.sync(
      #"[{"id":1,"state":"open","kind":"done","tags":["a"]},{"id":2,"state":"odd","kind":"open","tags":null}]"#,
      as: "Model")
    #expect(try store.rows("Model") == [#"1: state=open kind=done tags=["a"]"#, "2: kind=open tags=[]"])
    // Null can't become a text that is no case.
    #expect(throws: SyncError.self) { try store.sync(#"{"id":1,"kind":null}"#, as: "Model") }
    #expect(throws: SyncError.self) { try store.sync(#"{"id":1,"tags":{"a":1}}"#, as: "Model") }
  }
}
