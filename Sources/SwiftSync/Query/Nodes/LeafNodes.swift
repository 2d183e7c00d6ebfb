import Foundation

extension PredicateExpressions.Value: PredicateNode {
  var operands: [any PredicateExpression] { [] }
  func evaluator(in evaluation: Evaluation) -> Evaluator<Output> { { value } }
  func text(in writer: ExpressionWriter) -> String { writer.constant(value) }
}

extension PredicateExpressions.NilLiteral: PredicateNode {
  var operands: [any PredicateExpression] { [] }
  func evaluator(in evaluation: Evaluation) -> Evaluator<Wrapped?> { { nil } }
  func text(in writer: ExpressionWriter) -> String { "nil" }
}

extension PredicateExpressions.Variable: PredicateNode {
  var operands: [any PredicateExpression] { [] }
  var isSameForEveryRow: Bool { false }
  func term(in compiler: PredicateCompiler) -> Term { compiler.term(of: key) }
  func evaluator(in evaluation: Evaluation) -> Evaluator<Output> { evaluation.evaluator(of: self) }
  func text(in writer: ExpressionWriter) -> String { writer.name(of: key) }
}
