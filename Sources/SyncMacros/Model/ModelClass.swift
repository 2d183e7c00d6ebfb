import SwiftSyntax

/// A class as `@Model` and `@Syncable` see it.
struct ModelClass {
  let declaration: ClassDeclSyntax

  init?(_ declaration: some SyntaxProtocol) {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return nil }
    self.declaration = declaration
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

  /// The arguments of every `#Unique` or `#Index` in the class body: one array of key paths each.
  func constraints(_ macroName: String) -> [LabeledExprSyntax] {
    declaration.memberBlock.members.flatMap { member -> [LabeledExprSyntax] in
      guard let macro = member.decl.as(MacroExpansionDeclSyntax.self), macro.macroName.text == macroName else {
        return []
      }
      return Array(macro.arguments)
    }
  }
}
