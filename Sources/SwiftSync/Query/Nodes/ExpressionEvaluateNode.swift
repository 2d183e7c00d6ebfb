import Foundation

/// An `#Expression` inside of a predicate. It is looked through: its inputs are what its variables stand for.
extension PredicateExpressions.ExpressionEvaluate: PredicateNode {
  var operands: [any PredicateExpression] {
    var operands: [any PredicateExpression] = [expression]
    for input in repeat each input { operands.append(input) }
    return operands
  }

  func term(in compiler: PredicateCompiler) -> Term {
    guard let inner = compiler.term(of: expression).constant as? Transformation.Output else { return .unknown }
    for (variable, input) in repeat (each inner.variable, each input) {
      compiler.bind(variable.key, to: compiler.term(of: input))
    }
    return compiler.term(of: inner.expression)
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Output> {
    let inputs = (repeat evaluation.evaluator(of: each input))
    guard expression.isConstant, let inner = try? evaluation.evaluator(of: expression)() else {
      let expression = evaluation.evaluator(of: expression)
      return { try expression().evaluate(repeat (each inputs)()) }
    }
    let cells = (repeat evaluation.cell(of: each inner.variable))
    let evaluate = evaluation.evaluator(of: inner.expression)
    return {
      for (cell, input) in repeat (each cells, each inputs) { cell.value = try input() }
      return try evaluate()
    }
  }

  func text(in writer: ExpressionWriter) -> String {
    guard let inner = (expression as? PredicateExpressions.Value<Transformation.Output>)?.value else {
      return "\(writer.operand(expression)).evaluate(…)"
    }
    for (variable, input) in repeat (each inner.variable, each input) {
      writer.call(variable.key, writer.operand(input))
    }
    return "(\(writer.text(of: inner.expression)))"
  }
}
