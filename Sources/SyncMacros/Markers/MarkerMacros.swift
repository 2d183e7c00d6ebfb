import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

// Markers add no code: `@Model` and `@Syncable` read them from the syntax of the class. The macros below exist so that
// the compiler knows the names and checks the arguments.

/// `@Attribute(.unique, originalName: "x")`.
enum AttributeMacro: PropertyMarkerMacro {}

/// `@Relationship(deleteRule: .cascade, inverse: \Item.task)`.
enum RelationshipMacro: PropertyMarkerMacro {}

/// `@NotExport`.
enum NotExportMacro: PropertyMarkerMacro {}

/// `@RemoteKey("key.in.the.payload")`.
enum RemoteKeyMacro: PropertyMarkerMacro {}

/// `@PrimaryKey` and `@PrimaryKey(remote: "key")`.
enum PrimaryKeyMacro: PropertyMarkerMacro {}

/// `@Transient`.
enum TransientMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}

/// `#Index<Task>([\.count], [\.project, \.count])`.
enum IndexMacro: ConstraintMacro {}

/// `#Unique<Task>([\.id])`.
enum UniqueMacro: ConstraintMacro {}

/// A marker that says something about a persisted property. What is wrong with it is reported here, where it is
/// expanded, once for each use.
protocol PropertyMarkerMacro: PeerMacro {}

extension PropertyMarkerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let argument = node.computedPayloadKey {
      context.diagnose(Diagnostic(node: argument, message: SyncableDiagnostic.computedKey))
    }
    if let variable = declaration.as(VariableDeclSyntax.self), case .untouched = PropertyRole(variable) {
      context.diagnose(Diagnostic(node: node, message: ModelDiagnostic.markerWithoutEffect(node.plainName)))
    }
    return []
  }
}

/// A declaration in a class body that `@Model` reads.
protocol ConstraintMacro: DeclarationMacro {}

extension ConstraintMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
