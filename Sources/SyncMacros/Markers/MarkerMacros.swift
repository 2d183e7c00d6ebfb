import SwiftSyntax
import SwiftSyntaxMacros

// Markers add no code: `@Model` and `@Syncable` read them from the syntax of the class. The macros below exist so that
// the compiler knows the names and checks the arguments.

/// `@Attribute(.unique, originalName: "x")`.
enum AttributeMacro: MarkerMacro {}

/// `@Relationship(deleteRule: .cascade, inverse: \Item.task)`.
enum RelationshipMacro: MarkerMacro {}

/// `@Transient`.
enum TransientMacro: MarkerMacro {}

/// `@NotExport`.
enum NotExportMacro: MarkerMacro {}

/// `@RemoteKey("key.in.the.payload")`.
enum RemoteKeyMacro: MarkerMacro {
  static func check(_ attribute: AttributeSyntax, in context: some MacroExpansionContext) {
    diagnoseComputedKey(of: attribute, in: context)
  }
}

/// `@PrimaryKey` and `@PrimaryKey(remote: "key")`.
enum PrimaryKeyMacro: MarkerMacro {
  static func check(_ attribute: AttributeSyntax, in context: some MacroExpansionContext) {
    diagnoseComputedKey(of: attribute, in: context)
  }
}

/// `#Index<Task>([\.count], [\.project, \.count])`.
enum IndexMacro: EmptyDeclarationMacro {}

/// `#Unique<Task>([\.id])`.
enum UniqueMacro: EmptyDeclarationMacro {}

/// An attribute that is only there to be read.
protocol MarkerMacro: PeerMacro {
  /// Reports what is wrong with the attribute itself, once for each use.
  static func check(_ attribute: AttributeSyntax, in context: some MacroExpansionContext)
}

extension MarkerMacro {
  static func check(_ attribute: AttributeSyntax, in context: some MacroExpansionContext) {}

  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    check(node, in: context)
    return []
  }
}

/// A declaration in a class body that is only there to be read.
protocol EmptyDeclarationMacro: DeclarationMacro {}

extension EmptyDeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
