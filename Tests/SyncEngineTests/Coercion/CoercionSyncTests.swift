import Records
import Testing

@testable import SyncEngine

/// The coercion table once more, but by syncs: what is stored in the end, and not only what a conversion gives.
@Suite("4.1, 4.3, 5: Every source and target type, on create and on update")
struct CoercionSyncTests {
  /// A value for each type that the existing row has before the sync.
  private static let former: [AttributeType: String] = [
    .bool: "true", .float: "0.5", .double: "0.5", .decimal: "0.5", .string: #""former""#, .date: #""1999-01-01""#,
    .uuid: #""00000000-0000-0000-0000-000000000001""#, .url: #""former:x""#, .data: #""eA==""#,
    .composite: #""former""#,
  ]

  private static let types = AttributeType.allCases

  @Test("An optional attribute takes what can be read, and becomes nil by what can't", arguments: types)
  func optionalAttributes(_ type: AttributeType) throws {
    let store = try TestStore(.entity("Model", [.optional("v", type)]))
    for (json, _, expected) in CoercionMatrixTests.table.filter({ $0.type == type }) {
      let result = [expected.map { "1: v=\($0)" } ?? "1:"]
      try store.sync("[]", as: "Model")
      try store.sync("{\"id\":1,\"v\":\(json)}", as: "Model")
      #expect(try store.rows("Model") == result, "create \(json)")
      try store.sync("{\"id\":1,\"v\":\(Self.former[type] ?? "77")}", as: "Model")
      let report = try store.sync("{\"id\":1,\"v\":\(json)}", as: "Model")
      #expect(try store.rows("Model") == result, "update \(json)")
      #expect(report.replacedValues.map(\.outcome) == (expected == nil ? [.cleared] : []), "\(json)")
    }
  }

  @Test("A required attribute takes what can be read; what can't be is refused, and the row stays", arguments: types)
  func requiredAttributes(_ type: AttributeType) throws {
    let store = try TestStore(.entity("Model", [.required("v", type)]))
    for (json, _, expected) in CoercionMatrixTests.table.filter({ $0.type == type }) {
      let payload = "{\"id\":1,\"v\":\(json)}"
      // A date that can't be read is the epoch (6.4).
      let stored = expected ?? (type == .date ? "1970-01-01T00:00:00.000Z" : nil)
      try store.sync("[]", as: "Model")
      if let stored {
        try store.sync(payload, as: "Model")
        #expect(try store.rows("Model") == ["1: v=\(stored)"], "create \(json)")
      } else {
        #expect(throws: SyncError.self, "create \(json)") { try store.sync(payload, as: "Model") }
        #expect(try store.rows("Model").isEmpty)
      }
      try store.sync("{\"id\":1,\"v\":\(Self.former[type] ?? "77")}", as: "Model")
      let former = try store.rows("Model")
      if let stored {
        try store.sync(payload, as: "Model")
        #expect(try store.rows("Model") == ["1: v=\(stored)"], "update \(json)")
      } else {
        #expect(throws: SyncError.self, "update \(json)") { try store.sync(payload, as: "Model") }
        #expect(try store.rows("Model") == former, "update \(json)")
      }
    }
  }

  @Test("The table has every type")
  func isComplete() {
    #expect(Set(CoercionMatrixTests.table.map(\.type)).isSuperset(of: Self.types.filter { $0 != .composite }))
  }
}
