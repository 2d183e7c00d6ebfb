import Foundation
import Records

#if !canImport(Darwin)
extension PredicateExpressions.StringLocalizedStandardContains: PredicateNode {
  var operands: [any PredicateExpression] { [root, other] }

  func term(in compiler: PredicateCompiler) -> Term {
    guard Root.Output.self == String.self, Other.Output.self == String.self else { return .unknown }
    let pattern = compiler.term(of: other)
    if (pattern.constant as? String)?.isEmpty == true { return Term(.constant(false)) }
    // Whether a text that a row has is empty, the store does not look at.
    return pattern.constant == nil ? .unknown : compiler.match(compiler.term(of: root), .search, pattern)
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let text = evaluation.evaluator(of: root)
    let pattern = evaluation.evaluator(of: other)
    return { try TextMatch.search.finds(String(pattern()), in: String(text())) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(root)).localizedStandardContains(\(writer.text(of: other)))"
  }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: PredicateNode {
  var operands: [any PredicateExpression] { [root, other] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<ComparisonResult> {
    let left = evaluation.evaluator(of: root)
    let right = evaluation.evaluator(of: other)
    return { try left().caseInsensitiveCompare(right()) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(root)).caseInsensitiveCompare(\(writer.text(of: other)))"
  }
}

extension PredicateExpressions.StringLocalizedCompare: PredicateNode {
  var operands: [any PredicateExpression] { [root, other] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<ComparisonResult> {
    let left = evaluation.evaluator(of: root)
    let right = evaluation.evaluator(of: other)
    return { try left().localizedCompare(right()) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(root)).localizedCompare(\(writer.text(of: other)))"
  }
}

extension TextMatch {
  /// What `localizedStandardContains` looks for.
  static let search = TextMatch(.contains, .localizedStandard)

  /// Whether a text that is not empty is in another.
  func finds(_ pattern: String, in text: String) -> Bool {
    !pattern.isEmpty && matches(text, pattern)
  }
}
#endif
