import Testing

@Suite("What @Model generates")
struct ModelExpansionTests {
  @Test func wholeClass() {
    let expansion = Expansion(
      """
      @Model public final class Task {
        @Attribute(.unique) public var id: String
        @Transient public var isSelected = false
        public var project: Project?
        #Index<Task>([\\.id])

        public init(id: String) { self.id = id }
      }
      """)
    #expect(expansion.findings.isEmpty)
    #expect(
      expansion.text == """
        public final class Task {
          public var id: String {
            @storageRestrictions(accesses: _$backing, initializes: _id)
            init(initialValue) {
              _$backing.initialize(0, to: initialValue)
              _id = PersistedSlot()
            }
            get {
              _$backing.value(0, of: self, \\.id)
            }
            set {
              _$backing.set(0, of: self, \\.id, to: newValue)
            }
          }

          private var _id: PersistedSlot
          public var isSelected = false
          public var project: Project? {
            @storageRestrictions(accesses: _$backing, initializes: _project)
            init(initialValue) {
              _$backing.initialize(1, to: initialValue)
              _project = PersistedSlot()
            }
            get {
              _$backing.value(1, of: self, \\.project)
            }
            set {
              _$backing.set(1, of: self, \\.project, to: newValue)
            }
          }

          private var _project: PersistedSlot

          public init(id: String) { self.id = id }

          public let _$backing = ModelBacking()

          public init(_$backing source: ModelBacking.Source) {
            _$backing.adopt(source)
            _id = PersistedSlot()
            _project = PersistedSlot()
          }

          public nonisolated static let modelTable: ModelTable = {
            var table = ModelTableBuilder(Task.self)
            table.property("id", \\.id, .unique)
            table.property("project", \\.project)
            table.index([\\.id])
            return table.build()
          }()
        }

        nonisolated extension Task: PersistentModel {
        }
        """)
  }

  @Test(
    "One line of the table for each property",
    arguments: [
      ("var name: String", #"table.property("name", \.name)"#),
      ("private(set) var name: String", #"table.property("name", \.name)"#),
      ("var `default`: Bool", #"table.property("default", \.`default`)"#),
      ("@Attribute var name: String", #"table.property("name", \.name)"#),
      ("@Attribute(.unique) var id: Int", #"table.property("id", \.id, .unique)"#),
      (
        "@Attribute(\n  .unique,  // one of a kind\n  originalName: \"nr\"  // until 2\n)\nvar id: Int",
        #"table.property("id", \.id, .unique, originalName: "nr")"#
      ),
      (
        "@Attribute(.unique) @Attribute(originalName: \"nr\") var id: Int",
        #"table.property("id", \.id, .unique, originalName: "nr")"#
      ),
      ("@Relationship var tags: [Tag]", #"table.property("tags", \.tags)"#),
      (
        #"@Relationship(deleteRule: .cascade, inverse: \Item.task) var items: [Item]"#,
        #"table.property("items", \.items, deleteRule: .cascade, inverse: \Item.task)"#
      ),
      (
        #"@RemoteKey("state.label") var label: String"#,
        #"table.property("label", \.label, remoteKey: "state.label")"#
      ),
      (#"@SwiftSync.RemoteKey("k") var a: Int"#, #"table.property("a", \.a, remoteKey: "k")"#),
      (##"@RemoteKey(#"a"b"#) var a: Int"##, ##"table.property("a", \.a, remoteKey: #"a"b"#)"##),
      (#"@RemoteKey("") var a: Int"#, #"table.property("a", \.a)"#),
      ("@PrimaryKey var key: Int", #"table.property("key", \.key, isPrimaryKey: true)"#),
      ("@PrimaryKey() var key: Int", #"table.property("key", \.key, isPrimaryKey: true)"#),
      ("@PrimaryKey(remote: nil) var key: Int", #"table.property("key", \.key, isPrimaryKey: true)"#),
      (#"@PrimaryKey(remote: "") var key: Int"#, #"table.property("key", \.key, isPrimaryKey: true)"#),
      (
        #"@PrimaryKey(remote: "nr") var key: Int"#,
        #"table.property("key", \.key, isPrimaryKey: true, primaryKeyRemote: "nr")"#
      ),
      (
        #"@NotExport @RemoteKey("b") @PrimaryKey(remote: "a") @Attribute(.unique) var key: Int"#,
        ##"table.property("key", \.key, .unique, remoteKey: "b", isPrimaryKey: true, primaryKeyRemote: "a", isExported: false)"##
      ),
    ])
  func tableLine(declaration: String, line: String) {
    let expansion = Expansion("@Model final class A {\n\(declaration)\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.tableLines == [line])
  }

  @Test(
    "The value with which a declaration begins has a line of its own",
    arguments: [
      (#"var name = "x""#, #"table.initialValue(\.name, "x")"#),
      ("var count: Int? = .max  // all", #"table.initialValue(\.count, .max)"#),
      (
        "var made = Date(timeIntervalSince1970:\n  0)",
        "table.initialValue(\\.made, Date(timeIntervalSince1970:\n    0))"
      ),
      ("@Relationship var tags: [Tag] = []", #"table.initialValue(\.tags, [])"#),
      ("var `default` = true", #"table.initialValue(\.`default`, true)"#),
      ("var name: String? = nil", nil),
      ("var name: String?", nil),
    ] as [(String, String?)])
  func initialValue(declaration: String, line: String?) {
    let expansion = Expansion("@Model final class A {\n\(declaration)\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.text.contains("table.initialValue") == (line != nil))
    if let line { #expect(expansion.text.contains(line)) }
  }

  @Test func earlierNameOfTheClass() {
    let expansion = Expansion("@Model(originalName: \"Job\") final class Task {\n  var id: Int\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.text.contains(#"var table = ModelTableBuilder(Task.self, originalName: "Job")"#))
  }

  @Test(
    "Constraints follow the properties",
    arguments: [
      (#"#Unique<A>([\.id], [\.id, \.day])"#, [#"table.unique([\.id], [\.id, \.day])"#]),
      (#"#Index<A>([\.id])"# + "\n" + #"#Index<A>([\.day])"#, [#"table.index([\.id], [\.day])"#]),
      (#"#Index<A>([\.id])"# + "\n" + #"#Unique<A>([\.id])"#, [#"table.unique([\.id])"#, #"table.index([\.id])"#]),
      ("#warning(\"unrelated\")", []),
    ])
  func constraints(declarations: String, lines: [String]) {
    let expansion = Expansion("@Model final class A {\n\(declarations)\n}")
    #expect(expansion.tableLines == lines)
  }

  @Test(
    "Only stored variables of the instance are persisted",
    arguments: [
      ("var a: Int", true),
      ("var a = 1", true),
      ("var a: Int?", true),
      ("var a: Optional<Int>", true),
      ("var a: Int!", true),
      ("private var a: [String: Int]", true),
      ("@objc var a: Int", true),
      ("static var a = 1", false),
      ("class var a: Int { 1 }", false),
      ("static let a = 1", false),
      ("let a = 1", false),
      ("var a: Int { 1 }", false),
      ("var a: Int { get { 1 } set {} }", false),
      ("var a: Int { _read { yield 1 } }", false),
      ("@Transient var a = 1", false),
      ("@Transient var a: Int?", false),
      ("@Transient var a: Int!", false),
      ("@Transient var a = 1 { didSet {} }", false),
      ("@Transient lazy var a = 1", false),
      ("@Transient weak var a: A?", false),
      ("@SwiftSync.Transient var a = 1", false),
      ("func a() {}", false),
      ("struct Nested { var a: Int }", false),
    ])
  func persisted(declaration: String, isPersisted: Bool) {
    let expansion = Expansion("@Model final class A {\n\(declaration)\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.tableLines.isEmpty == !isPersisted)
    #expect(expansion.text.contains("_a: PersistedSlot") == isPersisted)
    #expect(expansion.text.contains("_a = PersistedSlot()") == isPersisted)
  }

  @Test("Slots count the persisted properties only")
  func slots() {
    let expansion = Expansion(
      """
      @Model final class A {
        static var shared = 0
        var first: Int
        @Transient var cache = 0
        let constant = 0
        var second: Int
        var computed: Int { 0 }
        var third: Int
      }
      """)
    for (slot, name) in ["first", "second", "third"].enumerated() {
      #expect(expansion.text.contains("_$backing.value(\(slot), of: self, \\.\(name))"))
    }
  }

  @Test("An array is edited where it lies, and written back also when the edit throws")
  func arrayAccessors() {
    let expansion = Expansion("@Model final class A {\n  var items: [B]\n}")
    #expect(
      expansion.text.contains(
        """
            _modify {
              var value = _$backing.value(0, of: self, \\.items)
              _$backing.unshare(0, &value)
              defer {
                _$backing.set(0, of: self, \\.items, to: value)
              }
              yield &value
            }
        """))
  }

  @Test(
    "What is written as an array has an accessor for that, whatever the elements are, and nothing else has",
    arguments: [
      ("var a: [B]", true), ("var a: [B]?", true), ("var a: [B]!", true), ("var a: [B] = []", true),
      ("var a = [B]()", true), ("var a = [1, 2]", true), ("var a: Array<B>", true), ("var a: Optional<[B]>", true),
      ("@Relationship(inverse: \\B.a) var a: [B]", true),
      ("var a: B", false), ("var a: B?", false), ("var a: Optional<B>", false), ("var a: [String: B]", false),
      ("var a = [1: 2]", false), ("var a: Set<B>", false), ("var a = B()", false), ("var a: (B)", false),
    ])
  func arrays(declaration: String, isArray: Bool) {
    let expansion = Expansion("@Model final class A {\n\(declaration)\n}")
    #expect(expansion.findings.isEmpty)
    #expect(expansion.text.contains("_modify {") == isArray)
  }

  @Test("A class without properties has a table that is a constant")
  func emptyClass() {
    #expect(Expansion("@Model final class A {\n}").text.contains("let table = ModelTableBuilder(A.self)"))
  }

  @Test(
    "Generated members follow the access of the class",
    arguments: [
      ("public final", "public ", ""), ("open", "public ", "required "), ("package final", "package ", ""),
      ("public", "public ", "required "), ("final", "", ""), ("internal final", "", ""), ("private final", "", ""),
      ("fileprivate", "", "required "), ("", "", "required "),
    ])
  func access(modifiers: String, access: String, required: String) {
    let text = Expansion("@Model \(modifiers) class A {\n}").text
    #expect(text.contains("  \(access)let _$backing = ModelBacking()"))
    #expect(text.contains("  \(access)\(required)init(_$backing source: ModelBacking.Source) {"))
    #expect(text.contains("  \(access)nonisolated static let modelTable: ModelTable = {"))
  }

  @Test("A nested class is extended under its full name")
  func nestedClass() {
    let text = Expansion("enum Outer {\n  @Model final class A {\n  }\n}").text
    #expect(text.contains("nonisolated extension Outer.A: PersistentModel {"))
    #expect(text.contains("ModelTableBuilder(A.self)"))
  }
}

extension Expansion {
  /// The lines of the generated table that describe properties, constraints and indexes.
  fileprivate var tableLines: [String] {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("table.") }.map(String.init)
  }
}
