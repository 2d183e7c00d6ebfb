import SwiftSyntax

extension AttributeSyntax {
  /// The payload key that `@RemoteKey("key")` or `@PrimaryKey(remote: "key")` names, as it is written in the source.
  ///
  /// `nil` when there is no argument, when it is empty, or when it is not a literal, which ``computedPayloadKey`` is
  /// there to report.
  var payloadKey: StringLiteralExprSyntax? {
    guard let literal = payloadKeyArgument?.as(StringLiteralExprSyntax.self),
      let text = literal.representedLiteralValue, !text.isEmpty
    else { return nil }
    return literal
  }

  /// The argument, when it is not a literal: a macro sees source text, not the value of a constant.
  var computedPayloadKey: ExprSyntax? {
    guard let argument = payloadKeyArgument, !argument.is(NilLiteralExprSyntax.self),
      argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue == nil
    else { return nil }
    return argument
  }

  private var payloadKeyArgument: ExprSyntax? {
    guard [Marker.remoteKey.rawValue, Marker.primaryKey.rawValue].contains(plainName) else { return nil }
    return labeledArguments.first?.expression
  }
}
