import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import SyncMacros

/// A piece of source with its macros expanded.
struct Expansion {
  /// The expanded source.
  let text: String

  /// What the macros reported.
  let findings: [Finding]

  /// The source after every fix that the macros offered has been made.
  let fixedSource: String

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "App", fullFilePath: "App.swift")])
    let expanded = file.expand(
      macroSpecs: Self.specs,
      contextGenerator: { BasicMacroExpansionContext(sharingWith: context, lexicalContext: [$0]) },
      indentationWidth: .spaces(2))
    text = expanded.description
    let converter = SourceLocationConverter(fileName: "App.swift", tree: file)
    findings = context.diagnostics.map { diagnostic in
      let position = context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "App.swift")
      let location = converter.location(for: AbsolutePosition(utf8Offset: position.offset))
      return Finding(
        id: diagnostic.diagnosticID, severity: diagnostic.diagMessage.severity, message: diagnostic.message,
        line: location.line, column: location.column)
    }
    fixedSource = Self.fixed(source, by: context.diagnostics.flatMap(\.fixIts), in: context)
  }

  private static let specs: [String: MacroSpec] = [
    "Model": MacroSpec(type: ModelMacro.self, conformances: ["PersistentModel"]),
    "ModelActor": MacroSpec(type: ModelActorMacro.self, conformances: ["ModelActor"]),
    "Syncable": MacroSpec(type: SyncableMacro.self, conformances: ["SyncMappedModel"]),
    "_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self),
    "Attribute": MacroSpec(type: AttributeMacro.self),
    "Relationship": MacroSpec(type: RelationshipMacro.self),
    "Transient": MacroSpec(type: TransientMacro.self),
    "PrimaryKey": MacroSpec(type: PrimaryKeyMacro.self),
    "RemoteKey": MacroSpec(type: RemoteKeyMacro.self),
    "NotExport": MacroSpec(type: NotExportMacro.self),
    "Index": MacroSpec(type: IndexMacro.self),
    "Unique": MacroSpec(type: UniqueMacro.self),
  ]

  /// Replaces text from the end to the start, so that offsets stay right.
  private static func fixed(_ source: String, by fixes: [FixIt], in context: BasicMacroExpansionContext) -> String {
    var edits: [(start: Int, length: Int, text: String)] = []
    for case .replace(let old, let new) in fixes.flatMap(\.changes) {
      let start = context.location(for: old.position, anchoredAt: old, fileName: "App.swift").offset
      edits.append((start, old.totalLength.utf8Length, new.description))
    }
    var bytes = Array(source.utf8)
    for edit in edits.sorted(by: { $0.start > $1.start }) {
      bytes.replaceSubrange(edit.start..<edit.start + edit.length, with: Array(edit.text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A diagnostic, as a test wants to see it.
struct Finding: Equatable {
  let id: MessageID
  let severity: DiagnosticSeverity
  let message: String
  let line: Int
  let column: Int
}
