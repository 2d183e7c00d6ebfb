import SwiftSyntax

/// The property that tells which stored row a payload row belongs to.
struct SyncIdentity {
  let property: PersistedProperty

  /// The first property marked `@PrimaryKey`, else the one named `id`, else the one named `remoteID`.
  init?(of properties: [PersistedProperty]) {
    let marked = properties.first(where: \.isPrimaryKey)
    let named = { (name: String) in properties.first { $0.schemaName == name } }
    guard let property = marked ?? named("id") ?? named("remoteID") else { return nil }
    self.property = property
  }

  /// The type as it is written, or as a literal or a plain initializer call gives it away.
  var type: String? {
    if let written = property.binding.typeAnnotation?.type {
      // `T!` is only a type where a variable is declared; everywhere else it is `T?`.
      guard let unwrapped = written.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else {
        return written.trimmedDescription
      }
      return "\(unwrapped.wrappedType.trimmedDescription)?"
    }
    guard let value = property.binding.initializer?.value else { return nil }
    if value.is(StringLiteralExprSyntax.self) { return "String" }
    if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
    guard let call = value.as(FunctionCallExprSyntax.self),
      let callee = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
      callee.first?.isUppercase == true
    else { return nil }
    return callee
  }
}
