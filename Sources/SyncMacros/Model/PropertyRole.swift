import SwiftDiagnostics
import SwiftSyntax

/// What `@Model` does with a variable of the class.
enum PropertyRole {
  /// Kept in the store: becomes accessors over the model's backing.
  case persisted(PersistedProperty)

  /// Left as it is: computed, static, constant or transient.
  case untouched

  /// Cannot be part of a model as it is written.
  case rejected(Diagnostic)

  init(_ variable: VariableDeclSyntax) {
    guard let binding = variable.bindings.first, !variable.isTypeLevel, !variable.isComputed,
      !variable.isWrittenByModelMacro
    else {
      self = .untouched
      return
    }
    if let diagnostic = Self.obstacle(in: variable, name: binding.pattern.trimmedDescription) {
      self = .rejected(diagnostic)
    } else if variable.isConstant || variable.attributes.contains(.transient) {
      self = .untouched
    } else if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier {
      self = .persisted(PersistedProperty(name: name, variable: variable, binding: binding))
    } else {
      self = .rejected(Diagnostic(node: binding.pattern, message: ModelDiagnostic.severalBindings))
    }
  }

  /// Why a stored variable cannot stay as it is.
  private static func obstacle(in variable: VariableDeclSyntax, name: String) -> Diagnostic? {
    if variable.isConstant {
      if variable.hasDefault { return nil }
      let fix = SuggestedFix.makeVariable.replacing(variable.bindingSpecifier, with: "var")
      return Diagnostic(
        node: variable.bindingSpecifier, message: ModelDiagnostic.constantWithoutDefault(name), fixIt: fix)
    }
    if variable.attributes.contains(.transient) {
      if variable.hasDefault { return nil }
      return Diagnostic(node: variable.bindings, message: ModelDiagnostic.transientWithoutDefault(name))
    }
    if let modifier = variable.modifierOfPlainStorage {
      let message = ModelDiagnostic.modifier(name, modifier.name.text)
      let fix = SuggestedFix.remove(modifier.name.text).replacing(modifier, with: "")
      return Diagnostic(node: modifier, message: message, fixIt: fix)
    }
    if variable.bindings.count > 1 {
      return Diagnostic(node: variable.bindings, message: ModelDiagnostic.severalBindings)
    }
    if let observer = variable.observers?.first?.accessorSpecifier {
      return Diagnostic(node: observer, message: ModelDiagnostic.observer(name, observer.text))
    }
    return nil
  }
}

extension VariableDeclSyntax {
  fileprivate var isConstant: Bool {
    bindingSpecifier.tokenKind == .keyword(.let)
  }

  /// Whether the variable belongs to the type and not to an instance.
  fileprivate var isTypeLevel: Bool {
    modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
  }

  /// Whether the variable has a getter, and thus no storage.
  fileprivate var isComputed: Bool {
    bindings.contains { $0.accessorBlock != nil } && observers == nil
  }

  /// `willSet` and `didSet`, if these are the accessors.
  fileprivate var observers: AccessorDeclListSyntax? {
    guard case .accessors(let accessors) = bindings.first?.accessorBlock?.accessors,
      let specifier = accessors.first?.accessorSpecifier.tokenKind,
      [.keyword(.willSet), .keyword(.didSet)].contains(specifier)
    else { return nil }
    return accessors
  }

  /// Whether this is part of an expansion: the compiler shows a macro the members that macros have added, too.
  fileprivate var isWrittenByModelMacro: Bool {
    guard let binding = bindings.first else { return false }
    return binding.pattern.trimmedDescription == ModelMacro.backing
      || binding.typeAnnotation?.type.trimmedDescription == PersistedPropertyMacro.slotType
  }

  /// Whether everything declared here gets a value without the help of an initializer.
  fileprivate var hasDefault: Bool {
    bindings.allSatisfy { binding in
      if binding.initializer != nil { return true }
      guard !isConstant, let type = binding.typeAnnotation?.type else { return false }
      // Only the short spellings start as nil; a variable of type `Optional<T>` has to be initialized.
      return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }
  }

  /// A modifier that only makes sense for a property with storage of its own.
  fileprivate var modifierOfPlainStorage: DeclModifierSyntax? {
    modifiers.first { [.keyword(.lazy), .keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind) }
  }
}
