import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ModelActor`: gives an actor a container and an executor with a context, and an initializer that makes them.
enum ModelActorMacro {
  private static let executor = "modelExecutor"
  private static let container = "modelContainer"
}

extension ModelActorMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let actor = declaration.as(ActorDeclSyntax.self) else {
      context.diagnose(Diagnostic(node: node, message: ModelActorDiagnostic.notAnActor))
      return []
    }
    let access = actor.memberAccess
    let properties: [DeclSyntax] = [
      "\(raw: access)nonisolated let \(raw: container): ModelContainer",
      "\(raw: access)nonisolated let \(raw: executor): any ModelExecutor",
    ]
    if node.disablesInitializer { return properties }
    return properties + [
      """
      \(raw: access)init(\(raw: container): ModelContainer) {
        self.\(raw: container) = \(raw: container)
        self.\(raw: executor) = DefaultSerialModelExecutor(modelContext: ModelContext(\(raw: container)))
      }
      """
    ]
  }
}

extension ModelActorMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): ModelActor {}")]
  }
}

extension AttributeSyntax {
  /// Whether `disableGenerateInit: true` stands in the attribute.
  fileprivate var disablesInitializer: Bool {
    guard case .argumentList(let arguments) = arguments,
      let argument = arguments.first(where: { $0.label?.text == "disableGenerateInit" })
    else { return false }
    return argument.expression.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.true)
  }
}

extension ActorDeclSyntax {
  /// The access modifier of generated members with a space behind it, or nothing.
  fileprivate var memberAccess: String {
    for modifier in modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.public): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }
}

/// What `@ModelActor` cannot accept.
enum ModelActorDiagnostic: String, DiagnosticMessage {
  case notAnActor = "not-an-actor"

  var message: String { "@ModelActor can only be applied to an actor" }
  var diagnosticID: MessageID { MessageID(domain: "SwiftSync.ModelActorMacro", id: rawValue) }
  var severity: DiagnosticSeverity { .error }
}
