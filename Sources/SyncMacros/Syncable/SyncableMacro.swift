import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Syncable`: names the model's sync identity, and leads to what the library does with the table of `@Model`, in which everything
/// else stands that a sync needs.
enum SyncableMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let model = ModelClass(declaration) else {
      context.diagnose(Diagnostic(node: node, message: SyncableDiagnostic.notAModel))
      return []
    }
    guard model.declaration.attributes.contains(.model) else {
      let fix = SuggestedFix.addModel.replacing(node, with: "\(node.trimmedDescription) @Model")
      context.diagnose(Diagnostic(node: node, message: SyncableDiagnostic.notAModel, fixIt: fix))
      return []
    }
    // Reported by `@Model`.
    guard model.obstacles.isEmpty else { return [] }
    diagnoseBlockedNames(of: model, in: context)
    let properties = model.persistedProperties
    diagnoseSecondPrimaryKey(among: properties, in: context)
    guard model.isFinal else {
      diagnoseOverridable(model, in: context)
      return []
    }
    guard let identity = SyncIdentity(of: properties) else {
      let message = SyncableDiagnostic.missingIdentity(model.name)
      context.diagnose(Diagnostic(node: model.declaration.name, message: message))
      return []
    }
    guard let identityType = identity.type else {
      let message = SyncableDiagnostic.identityWithoutType(identity.property.schemaName)
      context.diagnose(Diagnostic(node: identity.property.name, message: message))
      return []
    }
    let own = model.ownSyncMembers
    for (member, function) in own {
      context.diagnose(Diagnostic(node: function.name, message: SyncableDiagnostic.ownMember(member)))
    }
    let access = model.memberAccess
    let members = SyncMember.allCases.filter { member in !own.contains { $0.member == member } }
      .compactMap { $0.source(for: type.trimmedDescription, access: access) }
    let conformance = protocols.isEmpty ? "" : ": \(protocols.map(\.trimmedDescription).joined(separator: ", "))"
    return [
      try ExtensionDeclSyntax(
        """
        nonisolated extension \(type.trimmed)\(raw: conformance) {
          \(raw: access)typealias SyncID = \(raw: identityType)
          \(raw: access)static var syncIdentity: KeyPath<\(type.trimmed), SyncID> { \\.\(identity.property.name.trimmed) }
          \(raw: access)static var syncIdentityPropertyName: String { "\(raw: identity.property.schemaName)" }
          \(raw: members.joined(separator: "\n"))
        }
        """)
    ]
  }

  private static func diagnoseBlockedNames(of model: ModelClass, in context: some MacroExpansionContext) {
    for variable in model.variables where variable.bindings.count == 1 {
      guard let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier,
        let blocked = BlockedName(rawValue: name.text)
      else { continue }
      let message = SyncableDiagnostic.blockedName(blocked)
      context.diagnose(Diagnostic(node: name, message: message, fixIt: fix(of: name, blocked, in: variable)))
    }
  }

  /// Renames the property and keeps its payload key.
  private static func fix(of name: TokenSyntax, _ blocked: BlockedName, in variable: VariableDeclSyntax) -> FixIt {
    let rename = SuggestedFix.rename(blocked)
    guard case .persisted(let property) = PropertyRole(variable), !property.attributes.contains(.remoteKey) else {
      return rename.replacing(name, with: blocked.replacement)
    }
    let start = variable.modifiers.first.map(Syntax.init) ?? Syntax(variable.bindingSpecifier)
    return rename.replacing(
      (start, "@RemoteKey(\"\(blocked.rawValue)\") \(start.trimmedDescription)"), (Syntax(name), blocked.replacement))
  }

  private static func diagnoseOverridable(_ model: ModelClass, in context: some MacroExpansionContext) {
    let open = model.declaration.modifiers.first { $0.name.tokenKind == .keyword(.open) }
    let message = SyncableDiagnostic.notFinal(model.name)
    let fix =
      if let open {
        SuggestedFix.makeFinal.replacing(open, with: "public final")
      } else {
        SuggestedFix.makeFinal.replacing(model.declaration.classKeyword, with: "final class")
      }
    context.diagnose(Diagnostic(node: model.declaration.name, message: message, fixIt: fix))
  }

  private static func diagnoseSecondPrimaryKey(
    among properties: [PersistedProperty], in context: some MacroExpansionContext
  ) {
    for attribute in properties.flatMap({ $0.attributes.all(.primaryKey) }).dropFirst() {
      let fix = SuggestedFix.remove(attribute.trimmedDescription).replacing(attribute, with: "")
      context.diagnose(Diagnostic(node: attribute, message: SyncableDiagnostic.severalPrimaryKeys, fixIt: fix))
    }
  }
}

extension ModelClass {
  /// The members of a sync that the class body writes itself.
  fileprivate var ownSyncMembers: [(member: SyncMember, function: FunctionDeclSyntax)] {
    declaration.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }.flatMap { function in
      SyncMember.allCases.filter { $0.isDeclared(by: function) }.map { ($0, function) }
    }
  }
}
