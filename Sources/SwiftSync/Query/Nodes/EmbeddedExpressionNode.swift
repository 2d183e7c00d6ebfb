import Foundation

#if !canImport(Darwin)
/// An expression inside of a predicate is looked through: its input is what its variable stands for.
extension PredicateExpressions.EmbeddedExpression: PredicateNode {
  var operands: [any PredicateExpression] { [input] }
  var parts: [any PredicateExpression] { [input, expression.expression] }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.binding(expression.variable.key, to: compiler.term(of: input)) {
      compiler.term(of: expression.expression)
    }
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Output> {
    evaluation.writer.call(expression.variable.key, evaluation.writer.operand(input))
    let input = evaluation.evaluator(of: input)
    let cell = evaluation.cell(of: expression.variable)
    let evaluate = evaluation.evaluator(of: expression.expression)
    return {
      cell.value = try input()
      return try evaluate()
    }
  }

  func text(in writer: ExpressionWriter) -> String {
    writer.call(expression.variable.key, writer.operand(input))
    return writer.operand(expression.expression)
  }
}
#endif
