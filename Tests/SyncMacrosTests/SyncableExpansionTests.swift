import Testing

@Suite("What @Syncable generates")
struct SyncableExpansionTests {
  @Test func wholeExtension() {
    let expansion = Expansion("@Syncable @Model public final class Task {\n  public var id: String\n}")
    #expect(expansion.findings.isEmpty)
    #expect(
      expansion.text.contains(
        """
        nonisolated extension Task: SyncMappedModel {
          public typealias SyncID = String
          public static var syncIdentity: KeyPath<Task, SyncID> {
            \\.id
          }
          public static var syncIdentityPropertyName: String {
            "id"
          }
          public static func make(from payload: SyncPayload) throws -> Task {
            try _make(from: payload)
          }
          public func apply(_ payload: SyncPayload) throws -> Bool {
            try _apply(payload)
          }
          public func applyRelationships(
            _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations,
            isolation: isolated (any Actor)? = #isolation
          ) async throws -> Bool {
            try syncApplyGeneratedRelationships(payload, in: context, operations: operations)
          }
          public func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] {
            _export(keyStyle: keyStyle, dateFormatter: dateFormatter)
          }
        }
        """))
  }

  @Test(
    "The identity is the marked property, else id, else remoteID",
    arguments: [
      ("var id: Int", "id"),
      ("var remoteID: Int", "remoteID"),
      ("var remoteID: Int\nvar id: Int", "id"),
      ("var id: Int\n@PrimaryKey var code: Int", "code"),
      (#"var id: Int"# + "\n" + #"@PrimaryKey(remote: "k") var code: Int"#, "code"),
      ("@Transient var id = 0\nvar remoteID: Int", "remoteID"),
    ])
  func identity(declarations: String, name: String) {
    let expansion = Expansion("@Syncable @Model final class A {\n\(declarations)\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.text.contains("static var syncIdentityPropertyName: String {\n    \"\(name)\"\n  }"))
    #expect(expansion.text.contains("static var syncIdentity: KeyPath<A, SyncID> {\n    \\.\(name)\n  }"))
  }

  @Test(
    "The identity's type is written down or can be told from the value",
    arguments: [
      ("var id: Int", "Int"),
      ("var id: Foundation.UUID", "Foundation.UUID"),
      ("var id: Int?", "Int?"),
      ("var id: Int!", "Int?"),
      ("var id: Optional<Int>", "Optional<Int>"),
      ("var id = \"\"", "String"),
      ("var id = 0", "Int"),
      ("var id = UUID()", "UUID"),
    ])
  func identityType(declaration: String, type: String) {
    let expansion = Expansion("@Syncable @Model final class A {\n\(declaration)\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.text.contains("typealias SyncID = \(type)\n"))
  }

  @Test(
    "Generated members follow the access of the class",
    arguments: [("public", "public "), ("package", "package "), ("internal", ""), ("private", "")])
  func access(modifier: String, access: String) {
    let text = Expansion("@Syncable @Model \(modifier) final class A {\n  var id: Int\n}").text
    for member in ["typealias SyncID", "static var syncIdentity", "static var syncIdentityPropertyName"] {
      #expect(text.contains("\n  \(access)\(member)"))
    }
  }
}
