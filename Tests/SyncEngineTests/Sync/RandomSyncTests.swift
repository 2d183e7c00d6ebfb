import Records
import TestSupport
import Testing

@testable import SyncEngine

@Suite("7, 10: Random payloads, against rules that are written down plainly, and by two ways against each other")
struct RandomSyncTests {
  @Test(arguments: 0..<40)
  func syncsFollowThePlainRules(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(100 + seed))
    let store = try TestStore(
      .entity("Tag", [.optional("name", .string)]),
      .entity(
        "Node", [.optional("name", .string)], [.toOne("parent", "Node"), .toOne("tag", "Tag"), .toMany("tags", "Tag")]))
    var model = ReferenceModel()
    for step in 0..<25 {
      let operations =
        Bool.random(using: &random)
        ? SyncRelationshipOperations.all : SyncRelationshipOperations(rawValue: Int.random(in: 0...7, using: &random))
      let isCollection = Int.random(in: 0..<3, using: &random) > 0
      let count = isCollection ? Int.random(in: 0...10, using: &random) : 1
      let rows = (0..<count).map { _ in SampleRow.random(using: &random) }
      let payload = isCollection ? "[" + rows.map(\.json).joined(separator: ",") + "]" : rows[0].json
      if isCollection, !rows.isEmpty, rows.allSatisfy({ $0.id == nil }) {
        #expect(throws: SyncError.self) { try store.sync(payload, as: "Node", operations: operations) }
        continue
      }
      let before = (try store.rows("Node"), try store.rows("Tag"))
      model.sync(rows, isCollection: isCollection, operations: operations)
      let report = try store.sync(payload, as: "Node", operations: operations)
      try #require(try store.rows("Node") == model.nodeRows, "step \(step): \(payload) with \(operations.rawValue)")
      try #require(try store.rows("Tag") == model.tagRows, "step \(step): \(payload) with \(operations.rawValue)")
      try #require(try store.store.read { try $0.checkInvariants().isEmpty })

      let after = (try store.rows("Node"), try store.rows("Tag"))
      #expect(report.changedNothing ? before == after : true, "\(payload)")
      let counts = report.entities["Node"] ?? .init()
      #expect(before.0.count + counts.inserted - counts.deleted == after.0.count)
    }
  }

  @Test(arguments: 0..<20)
  func nativeValuesAndJSONAreOne(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(500 + seed))
    func makeStore() throws -> TestStore {
      try TestStore(
        .entity(
          "Model",
          AttributeType.allCases.map { .optional("\($0)Value", $0) } + [.optional("deep", .string, key: "a.b")],
          [.toOne("next", "Model"), .toMany("others", "Model")]))
    }
    let (fromText, fromValues) = (try makeStore(), try makeStore())
    let keys = AttributeType.allCases.map { KeyStyle.snakeCase.transform("\($0)Value") }
    for _ in 0..<20 {
      let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ -> SampleJSON in
        var members = [SampleJSON.Member(key: "id", value: .number("\(Int.random(in: 1...5, using: &random))"))]
        for key in keys where Bool.random(using: &random) {
          members.append(.init(key: key, value: scalar(using: &random)))
        }
        members.append(.init(key: "a", value: .object([.init(key: "b", value: scalar(using: &random))])))
        members.append(.init(key: "next_id", value: .number("\(Int.random(in: 1...6, using: &random))")))
        members.append(
          .init(key: "other_ids", value: .array([.number("1"), .number("\(Int.random(in: 1...6, using: &random))")])))
        return .object(members)
      }
      let payload = SampleJSON.array(rows)
      let text = payload.text(using: &random)
      let first = try fromText.sync(SyncRequest(entity: "Model", document: PayloadDocument(json: Array(text.utf8))))
      let second = try fromValues.sync(SyncRequest(entity: "Model", document: PayloadDocument(payload.native)))
      #expect(first == second, "\(text)")
      #expect(try fromText.rows("Model") == fromValues.rows("Model"), "\(text)")
    }
  }

  private func scalar(using random: inout SplitMix64) -> SampleJSON {
    let texts = [
      "5", "-5", "1.5", "true", "yes", "2020-01-01", "1441888808123", "6F1C2B3A-0D4E-4F5A-8B6C-7D8E9F0A1B2C", "aGk=",
      "https://a.b", "", "x\u{301}",
    ]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number("\(Int.random(in: -300...300, using: &random))")
    case 3: return .number("\(Double(Int.random(in: -3000...3000, using: &random)) / 8)")
    default: return .string(texts[Int.random(in: 0..<texts.count, using: &random)])
    }
  }
}

extension SampleJSON {
  /// The value as a program would hold it that got it from a JSON decoder.
  fileprivate var native: Any {
    switch self {
    case .null: return Optional<Any>.none as Any
    case .bool(let value): return DecodedNumber.bool(value)
    case .number(let text): return Int(text).map { $0 as Any } ?? DecodedNumber.double(Double(text) ?? 0)
    case .string(let value): return value
    case .array(let values): return values.map(\.native)
    case .object(let members):
      return Dictionary(members.map { ($0.key, $0.value.native) }) { _, last in last }
    }
  }
}

/// Stands for the number objects of a JSON decoder.
private enum DecodedNumber: PayloadConvertible {
  case bool(Bool)
  case double(Double)

  func append(to builder: inout PayloadBuilder) throws(PayloadError) {
    switch self {
    case .bool(let value): builder.append(bool: value, isNative: false)
    case .double(let value): try builder.append(double: value, isNative: false)
    }
  }
}
