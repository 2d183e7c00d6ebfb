import SwiftDiagnostics
import Testing

@testable import SyncMacros

@Suite("What the macros reject")
struct DiagnosticsTests {
  /// A class body line, the finding it leads to, and the same line after the offered fix.
  struct Case: CustomTestStringConvertible, Sendable {
    let line: String
    let id: String
    let column: Int
    let fixed: String?

    init(_ line: String, _ id: String, at column: Int, fixed: String? = nil) {
      self.line = line
      self.id = id
      self.column = column
      self.fixed = fixed
    }

    var testDescription: String { line }
  }

  @Test(
    "Properties that cannot be persisted",
    arguments: [
      Case("let a: Int", "constant-without-default", at: 1, fixed: "var a: Int"),
      Case("let a: Int?", "constant-without-default", at: 1, fixed: "var a: Int?"),
      Case("@Transient var a: Int", "transient-without-default", at: 16),
      Case("@Transient var a: Optional<Int>", "transient-without-default", at: 16),
      Case("lazy var a = 1", "modifier-of-plain-storage", at: 1, fixed: "var a = 1"),
      Case("private lazy var a = 1", "modifier-of-plain-storage", at: 9, fixed: "private var a = 1"),
      Case("weak var a: A?", "modifier-of-plain-storage", at: 1, fixed: "var a: A?"),
      Case("unowned var a: A", "modifier-of-plain-storage", at: 1, fixed: "var a: A"),
      Case("var a: Int { didSet {} }", "observed-property", at: 14),
      Case("var a = 1 { willSet {} didSet {} }", "observed-property", at: 13),
      Case("var a: Int, b: Int", "several-bindings", at: 5),
      Case("var (a, b) = (1, 2)", "several-bindings", at: 5),
    ])
  func property(_ test: Case) {
    expect(test, prefix: "@Model final class A {", domain: "SwiftSync.ModelMacro")
  }

  @Test(
    "Markers on properties that are not persisted",
    arguments: [
      Case("@NotExport var a: Int { 1 }", "marker-without-effect", at: 1),
      Case("@RemoteKey(\"k\") static var a = 1", "marker-without-effect", at: 1),
      Case("@Attribute(.unique) let a = 1", "marker-without-effect", at: 1),
      Case("@Transient @Relationship var a = [A]()", "marker-without-effect", at: 12),
    ])
  func uselessMarker(_ test: Case) {
    let expansion = expect(test, prefix: "@Model final class A {", domain: "SwiftSync.ModelMacro", severity: .warning)
    #expect(expansion.findings.first?.message.hasSuffix("has no effect here: the property is not persisted") == true)
  }

  @Test(
    "Payload keys and identities of synced models",
    arguments: [
      Case("@RemoteKey(key) var a: Int", "computed-key", at: 12),
      Case("@RemoteKey(\"a\\(b)\") var a: Int", "computed-key", at: 12),
      Case("@RemoteKey(\"a\" + \"b\") var a: Int", "computed-key", at: 12),
      Case("@PrimaryKey(remote: key) var a: Int", "computed-key", at: 21),
      Case(
        "@PrimaryKey var a: Int; @PrimaryKey var b: Int", "several-primary-keys", at: 25,
        fixed: "@PrimaryKey var a: Int; var b: Int"),
    ])
  func syncedProperty(_ test: Case) {
    expect(test, prefix: "@Syncable @Model final class A { var id: Int", domain: "SwiftSync.SyncableMacro")
  }

  @Test(
    "Names that a synced model cannot use",
    arguments: [
      Case(
        "var description: String", "blocked-property-name-description", at: 5,
        fixed: "@RemoteKey(\"description\") var descriptionText: String"),
      Case(
        "@NotExport public var hashValue: Int", "blocked-property-name-hashValue", at: 23,
        fixed: "@NotExport @RemoteKey(\"hashValue\") public var hashValueRaw: Int"),
      Case(
        "@RemoteKey(\"text\") var description: String", "blocked-property-name-description", at: 24,
        fixed: "@RemoteKey(\"text\") var descriptionText: String"),
      Case(
        "var description: String { \"\" }", "blocked-property-name-description", at: 5,
        fixed: "var descriptionText: String { \"\" }"),
      Case(
        "static var description = \"\"", "blocked-property-name-description", at: 12,
        fixed: "static var descriptionText = \"\""),
    ])
  func blockedName(_ test: Case) {
    let expansion = expect(
      test, prefix: "@Syncable @Model final class A { var id: Int", domain: "SwiftSync.SyncableMacro")
    // The error does not take the expansion with it, or it would be followed by errors about missing members.
    #expect(expansion.text.contains("extension A: SyncMappedModel"))
  }

  @Test(
    "Members that @Syncable writes itself",
    arguments: [
      Case("static func make(from payload: SyncPayload) throws -> A { A() }", "own-member", at: 13),
      Case("func apply(_ payload: SyncPayload) throws -> Bool { true }", "own-member", at: 6),
      Case("public func apply(_ row: SyncPayload) -> Bool { true }", "own-member", at: 13),
      Case(
        "func applyRelationships(_ payload: SyncPayload, in context: ModelContext) async -> Bool { true }",
        "own-member",
        at: 6),
      Case(
        "func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] { [:] }", "own-member", at: 6),
      Case("func syncMarkChanged() {}", "own-member", at: 6),
    ])
  func ownMember(_ test: Case) {
    let expansion = expect(
      test, prefix: "@Syncable @Model final class A { var id: Int", domain: "SwiftSync.SyncableMacro")
    // Once is enough: no second one beside it, which would be another error.
    let name = test.line.split(separator: "func ").last?.prefix { $0 != "(" } ?? ""
    #expect(expansion.text.split(separator: "func \(name)(").count == 2)
    #expect(expansion.text.contains("extension A: SyncMappedModel"))
  }

  @Test(
    "Members that only share a name with those are the class's own",
    arguments: [
      "func apply(_ coupon: Coupon) {}", "func make() {}", "static func make(from text: String) -> A? { nil }",
      "func export() -> String { \"\" }", "func export(to file: String) {}", "func syncMarkChanged(by name: String) {}",
    ])
  func ownNames(_ declaration: String) {
    #expect(Expansion("@Syncable @Model final class A {\n  var id: Int\n  \(declaration)\n}").findings.isEmpty)
    let member = "func apply(_ payload: SyncPayload) throws -> Bool { true }"
    #expect(Expansion("@Model final class A {\n  var id: Int\n  \(member)\n}").findings.isEmpty)
  }

  @Test("Blocked names are no matter of models that are not synced")
  func plainModelMayUseBlockedNames() {
    #expect(Expansion("@Model final class A {\n  var description: String\n}").findings.isEmpty)
  }

  @Test("The message of a blocked name says what to write instead")
  func blockedNameMessage() {
    let message = Expansion("@Syncable @Model final class A {\n  var id: Int\n  var hashValue: Int\n}").findings.first?
      .message
    #expect(
      message == """
        a synced model cannot have a property named 'hashValue': rename it to 'hashValueRaw' and map it with \
        @RemoteKey("hashValue")
        """)
  }

  @Test(
    "Parts of the schema inside #if",
    arguments: [
      ("#if DEBUG\nvar a: Int\n#endif", 1),
      ("#if DEBUG\nvar a: Int\n#else\n#if os(Linux)\nvar b: Int\n#endif\n#endif", 2),
      ("#if DEBUG\n#Index<A>([\\.a])\n#endif", 1),
      ("#if DEBUG\nlazy var a = 1\n#endif", 1),
      ("#if DEBUG\nvar a: Int { 1 }\nstatic var b = 1\n@Transient var c = 1\nfunc d() {}\n#endif", 0),
    ])
  func conditional(declarations: String, count: Int) {
    let findings = Expansion("@Model final class A {\n\(declarations)\n}").findings
    #expect(findings.count == count)
    #expect(findings.allSatisfy { $0.id == MessageID(domain: "SwiftSync.ModelMacro", id: "conditional-schema") })
  }

  @Test(
    "Declarations that cannot be models",
    arguments: [
      Case("@Model struct A {}", "not-a-class", at: 1),
      Case("@Model enum A {}", "not-a-class", at: 1),
      Case("@Model actor A {}", "not-a-class", at: 1),
      Case("@Model final class A<T> { var a: Int }", "generic-class", at: 21),
      Case("@Syncable @Model final class A<T> { var id: Int }", "generic-class", at: 31),
      Case("@MainActor @Model final class A {}", "main-actor-class", at: 1),
    ])
  func model(_ test: Case) {
    let expansion = expect(test, prefix: "", domain: "SwiftSync.ModelMacro")
    #expect(!expansion.text.contains("PersistentModel"))
    #expect(!expansion.text.contains("ModelBacking"))
  }

  @Test(
    "Declarations that cannot be synced",
    arguments: [
      Case("@Syncable struct A {}", "not-a-model", at: 1),
      Case(
        "@Syncable final class A { var id: Int }", "not-a-model", at: 1,
        fixed: "@Syncable @Model final class A { var id: Int }"),
      Case(
        "@Syncable @Model class A { var id: Int }", "not-final", at: 24,
        fixed: "@Syncable @Model final class A { var id: Int }"),
      Case(
        "@Syncable @Model open class A { var id: Int }", "not-final", at: 29,
        fixed: "@Syncable @Model public final class A { var id: Int }"),
      Case("@Syncable @Model final class A { var name: String }", "missing-identity", at: 30),
      Case("@Syncable @Model final class A { let id = 1 }", "missing-identity", at: 30),
      Case("@Syncable @Model final class A { var id = makeID() }", "identity-without-type", at: 38),
    ])
  func syncable(_ test: Case) {
    let expansion = expect(test, prefix: "", domain: "SwiftSync.SyncableMacro")
    #expect(!expansion.text.contains("SyncMappedModel"))
  }

  /// Expands `prefix`, the line of the test, and what closes the prefix, and compares the only finding.
  @discardableResult
  private func expect(
    _ test: Case, prefix: String, domain: String, severity: DiagnosticSeverity = .error,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Expansion {
    let suffix = prefix.isEmpty ? "" : "\n}"
    let expansion = Expansion("\(prefix)\n\(test.line)\(suffix)")
    let found = expansion.findings.first
    #expect(expansion.findings.count == 1, sourceLocation: sourceLocation)
    #expect(found?.id == MessageID(domain: domain, id: test.id), sourceLocation: sourceLocation)
    #expect(found?.severity == severity, sourceLocation: sourceLocation)
    #expect(found?.line == 2, sourceLocation: sourceLocation)
    #expect(found?.column == test.column, sourceLocation: sourceLocation)
    let fixed = test.fixed ?? test.line
    #expect(expansion.fixedSource == "\(prefix)\n\(fixed)\(suffix)", sourceLocation: sourceLocation)
    return expansion
  }
}
