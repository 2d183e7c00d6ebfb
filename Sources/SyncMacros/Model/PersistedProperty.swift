import SwiftSyntax

/// A property that is kept in the store, with the markers on it.
struct PersistedProperty {
  /// The name as it is written, with backticks where it needs them.
  let name: TokenSyntax
  let variable: VariableDeclSyntax
  let binding: PatternBindingSyntax

  /// The name in the schema: without backticks.
  var schemaName: String {
    let text = name.text
    return text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text
  }

  /// The name of the empty stored companion, through which the compiler checks that initializers set the property.
  var slotName: String { "_\(schemaName)" }

  var attributes: AttributeListSyntax { variable.attributes }

  var isPrimaryKey: Bool { attributes.contains(.primaryKey) }
}

extension PersistedProperty {
  /// The line of the model's table that describes the property.
  ///
  /// The arguments of `@Attribute` and `@Relationship` are passed on as they are written: the type checker, which knows
  /// the property's type, matches them with the overload for attributes or the one for relationships.
  var tableLine: String {
    var arguments = ["\"\(schemaName)\"", "\\.\(name.text)"]
    for marker in [Marker.attribute, .relationship] {
      arguments += attributes.all(marker).flatMap { $0.labeledArguments.map(\.sourceText) }
    }
    arguments += attributes.all(.remoteKey).compactMap(\.payloadKey).map { "remoteKey: \($0.trimmedDescription)" }
    if isPrimaryKey { arguments.append("isPrimaryKey: true") }
    arguments += attributes.all(.primaryKey).compactMap(\.payloadKey).map {
      "primaryKeyRemote: \($0.trimmedDescription)"
    }
    if attributes.contains(.notExport) { arguments.append("isExported: false") }
    return "table.property(\(arguments.joined(separator: ", ")))"
  }
}

extension PersistedProperty {
  /// The line of the model's table that gives the value with which the declaration begins, if it has one: what objects get that
  /// were stored before the property was there. Of no value there is nothing to say.
  var initialValueLine: String? {
    guard let value = binding.initializer?.value, !value.is(NilLiteralExprSyntax.self) else { return nil }
    return "table.initialValue(\\.\(name.text), \(value.trimmedDescription))"
  }
}

extension PersistedProperty {
  /// Whether the property is written as an array, of whatever. Arrays are edited where they lie, because they may be long.
  var isArray: Bool {
    if let type = binding.typeAnnotation?.type { return type.isArray }
    let value = binding.initializer?.value
    return (value?.as(FunctionCallExprSyntax.self)?.calledExpression ?? value)?.is(ArrayExprSyntax.self) == true
  }
}

extension TypeSyntax {
  fileprivate var isArray: Bool {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isArray }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.isArray }
    guard let type = self.as(IdentifierTypeSyntax.self) else { return self.is(ArrayTypeSyntax.self) }
    let argument = type.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)
    return type.name.text == "Array" || type.name.text == "Optional" && argument?.isArray == true
  }
}

extension LabeledExprSyntax {
  /// The argument without the comments and line breaks around it.
  var sourceText: String {
    let label = label.map { "\($0.text): " } ?? ""
    return label + expression.trimmedDescription
  }
}
