import SwiftDiagnostics
import SwiftSyntax

/// A class as `@Model` and `@Syncable` see it.
struct ModelClass {
  let declaration: ClassDeclSyntax

  init?(_ declaration: some SyntaxProtocol) {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return nil }
    self.declaration = declaration
  }

  /// Why the class as a whole cannot be a model; then nothing is generated, so that no error follows from another.
  var obstacles: [Diagnostic] {
    var found = declaration.attributes.all(.mainActor).map { Diagnostic(node: $0, message: ModelDiagnostic.mainActor) }
    if let generics = declaration.genericParameterClause {
      found.append(Diagnostic(node: generics, message: ModelDiagnostic.generic))
    }
    return found
  }

  var name: String { declaration.name.text }

  /// The access modifier of generated members with a space behind it, or nothing.
  ///
  /// `open` invites overriding, which generated members do not support, so that those of an open class are public. The
  /// members of a private class need no modifier.
  var memberAccess: String {
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }

  var isFinal: Bool {
    declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
  }

  /// The variables of the class body, in source order.
  var variables: [VariableDeclSyntax] {
    declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
  }

  /// The persisted properties in source order; the position is the slot.
  var persistedProperties: [PersistedProperty] {
    variables.compactMap { variable in
      guard case .persisted(let property) = PropertyRole(variable) else { return nil }
      return property
    }
  }

  /// What stands between `#if` and `#endif` in the class body and would be part of the schema outside of it.
  var conditionalSchema: [DeclSyntax] {
    func declarations(in conditional: IfConfigDeclSyntax) -> [DeclSyntax] {
      conditional.clauses.flatMap { clause -> [DeclSyntax] in
        guard case .decls(let members) = clause.elements else { return [] }
        return members.flatMap { $0.decl.as(IfConfigDeclSyntax.self).map(declarations) ?? [$0.decl] }
      }
    }
    let conditionals = declaration.memberBlock.members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }
    return conditionals.flatMap(declarations).filter { member in
      if let macro = member.as(MacroExpansionDeclSyntax.self) {
        return Constraint(rawValue: macro.macroName.text) != nil
      }
      guard let variable = member.as(VariableDeclSyntax.self) else { return false }
      if case .untouched = PropertyRole(variable) { return false }
      return true
    }
  }

  /// The arguments of every `#Unique` or `#Index` in the class body: one array of key paths each.
  func arguments(of constraint: Constraint) -> [LabeledExprSyntax] {
    declaration.memberBlock.members.flatMap { member -> [LabeledExprSyntax] in
      guard let macro = member.decl.as(MacroExpansionDeclSyntax.self), macro.macroName.text == constraint.rawValue
      else {
        return []
      }
      return Array(macro.arguments)
    }
  }
}

/// The declarations in a class body that add to its table.
enum Constraint: String, CaseIterable {
  case unique = "Unique"
  case index = "Index"

  /// The method of the table builder.
  var method: String { rawValue.lowercased() }
}
