import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension AttributeSyntax {
  /// The payload key that `@RemoteKey("key")` or `@PrimaryKey(remote: "key")` names, as it is written in the source.
  ///
  /// `nil` when there is no argument, when it is empty, or when it is not a literal (which is diagnosed where the
  /// attribute itself is expanded).
  var payloadKey: StringLiteralExprSyntax? {
    guard let literal = labeledArguments.first?.expression.as(StringLiteralExprSyntax.self),
      let text = literal.representedLiteralValue, !text.isEmpty
    else { return nil }
    return literal
  }
}

/// Reports a payload key that is not written as a literal: a macro sees source text, not the value of a constant.
func diagnoseComputedKey(of attribute: AttributeSyntax, in context: some MacroExpansionContext) {
  guard let argument = attribute.labeledArguments.first?.expression else { return }
  if argument.is(NilLiteralExprSyntax.self) { return }
  if argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue != nil { return }
  context.diagnose(Diagnostic(node: argument, message: SyncableDiagnostic.computedKey))
}
