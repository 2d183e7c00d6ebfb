import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: turns the stored properties of a class into accessors over a `ModelBacking` and describes them in a table.
///
/// The generated code is small on purpose: for each property three accessors of one call, one empty stored slot and one
/// line of the table. What the calls do is decided by overloads in the library, where the type checker picks the one for
/// the property's type, so that attributes and relationships are not told apart by their spelling.
enum ModelMacro {
  /// The member that holds the values of the persisted properties.
  static let backing = "_$backing"
}

extension ModelMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let model = ModelClass(declaration) else {
      context.diagnose(Diagnostic(node: node, message: ModelDiagnostic.notAClass))
      return []
    }
    let obstacles = model.obstacles
    obstacles.forEach(context.diagnose)
    guard obstacles.isEmpty else { return [] }
    diagnoseMembers(of: model, in: context)
    return [
      "\(raw: model.memberAccess)let \(raw: backing) = ModelBacking()",
      restoringInitializer(of: model),
      table(of: model, arguments: node.labeledArguments),
    ]
  }

  /// The initializer that makes the object of a stored row.
  private static func restoringInitializer(of model: ModelClass) -> DeclSyntax {
    let required = model.isFinal ? "" : "required "
    let slots = model.persistedProperties.map { "\n  \($0.slotName) = \(PersistedPropertyMacro.slotType)()" }.joined()
    return """
      \(raw: model.memberAccess)\(raw: required)init(\(raw: backing) source: ModelBacking.Source) {
        \(raw: backing).adopt(source)\(raw: slots)
      }
      """
  }

  /// The table: one statement for each property and initial value, so that the type checker looks at one after the other.
  private static func table(of model: ModelClass, arguments: LabeledExprListSyntax) -> DeclSyntax {
    var lines = model.persistedProperties.flatMap { [$0.tableLine] + [$0.initialValueLine].compactMap { $0 } }
    for constraint in Constraint.allCases {
      let arguments = model.arguments(of: constraint)
      if arguments.isEmpty { continue }
      lines.append("table.\(constraint.method)(\(arguments.map(\.sourceText).joined(separator: ", ")))")
    }
    // A `var` that is never changed would be a warning in the user's module.
    let arguments = ["\(model.name).self"] + arguments.map(\.sourceText)
    let introducer = lines.isEmpty ? "let" : "var"
    return """
      \(raw: model.memberAccess)nonisolated static let modelTable: ModelTable = {
        \(raw: introducer) table = ModelTableBuilder(\(raw: arguments.joined(separator: ", ")))
        \(raw: lines.map { "\($0)\n  " }.joined())return table.build()
      }()
      """
  }

  private static func diagnoseMembers(of model: ModelClass, in context: some MacroExpansionContext) {
    for variable in model.variables {
      guard case .rejected(let diagnostic) = PropertyRole(variable) else { continue }
      context.diagnose(diagnostic)
    }
    for member in model.conditionalSchema {
      context.diagnose(Diagnostic(node: member, message: ModelDiagnostic.conditional))
    }
  }
}

extension ModelMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard let model = ModelClass(declaration), model.obstacles.isEmpty,
      let variable = member.as(VariableDeclSyntax.self),
      case .persisted(let property) = PropertyRole(variable),
      let slot = model.persistedProperties.firstIndex(where: { $0.schemaName == property.schemaName })
    else { return [] }
    return ["@_PersistedProperty(slot: \(raw: slot))"]
  }
}

extension ModelMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let model = ModelClass(declaration), model.obstacles.isEmpty, !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): PersistentModel {}")]
  }
}
