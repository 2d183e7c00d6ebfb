import SwiftSyntax

/// What `@Model` does with a variable of the class.
enum PropertyRole {
  /// Kept in the store: becomes accessors over the model's backing.
  case persisted(PersistedProperty)

  /// Left as it is: computed, static, constant or transient.
  case untouched

  /// Cannot be part of a model as it is written.
  case rejected(ModelDiagnostic, at: Syntax)

  init(_ variable: VariableDeclSyntax) {
    guard let binding = variable.bindings.first, !variable.isTypeLevel, !variable.isComputed,
      !variable.isWrittenByModelMacro
    else {
      self = .untouched
      return
    }
    let name = binding.pattern.trimmedDescription
    if variable.bindingSpecifier.tokenKind == .keyword(.let) {
      self = variable.hasDefault ? .untouched : .rejected(.constantWithoutDefault(name), at: Syntax(binding.pattern))
    } else if variable.attributes.contains(.transient) {
      self = variable.hasDefault ? .untouched : .rejected(.transientWithoutDefault(name), at: Syntax(binding.pattern))
    } else if let modifier = variable.modifierOfPlainStorage {
      self = .rejected(.modifier(name, modifier.name.text), at: Syntax(modifier))
    } else if variable.bindings.count > 1 {
      self = .rejected(.severalBindings, at: Syntax(variable.bindings))
    } else if case .accessors(let observers) = binding.accessorBlock?.accessors, let observer = observers.first {
      let specifier = observer.accessorSpecifier
      self = .rejected(.observer(name, specifier.text), at: Syntax(specifier))
    } else if let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier {
      self = .persisted(PersistedProperty(name: identifier, variable: variable, binding: binding))
    } else {
      self = .rejected(.severalBindings, at: Syntax(binding.pattern))
    }
  }
}

extension VariableDeclSyntax {
  /// Whether the variable belongs to the type and not to an instance.
  fileprivate var isTypeLevel: Bool {
    modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
  }

  /// Whether the variable has a getter, and thus no storage.
  fileprivate var isComputed: Bool {
    bindings.contains { binding in
      guard let block = binding.accessorBlock else { return false }
      guard case .accessors(let accessors) = block.accessors else { return true }
      return !accessors.contains { $0.isObserver }
    }
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
      guard bindingSpecifier.tokenKind == .keyword(.var), let type = binding.typeAnnotation?.type else { return false }
      // Only the short spellings start as nil; a variable of type `Optional<T>` has to be initialized.
      return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }
  }

  /// A modifier that only makes sense for a property with storage of its own.
  fileprivate var modifierOfPlainStorage: DeclModifierSyntax? {
    modifiers.first { [.keyword(.lazy), .keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind) }
  }
}

extension AccessorDeclSyntax {
  fileprivate var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}
