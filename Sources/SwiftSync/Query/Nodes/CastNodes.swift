import Foundation

extension PredicateExpressions.ConditionalCast: PredicateNode {
  var operands: [any PredicateExpression] { [input] }

  func term(in compiler: PredicateCompiler) -> Term {
    Input.Output.self == Desired.self ? compiler.term(of: input) : .unknown
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Desired?> {
    let input = evaluation.evaluator(of: input)
    return { try input() as? Desired }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(input)) as? \(Desired.self)" }
}

extension PredicateExpressions.ForceCast: PredicateNode {
  var operands: [any PredicateExpression] { [input] }

  func term(in compiler: PredicateCompiler) -> Term {
    Input.Output.self == Desired.self || Input.Output?.self == Desired.self ? compiler.term(of: input) : .unknown
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Desired> {
    let input = evaluation.evaluator(of: input)
    return {
      guard let value = try input() as? Desired else {
        throw FetchError.failedCast(expression: evaluation.writer.text(of: self.input), type: "\(Desired.self)")
      }
      return value
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(input)) as! \(Desired.self)" }
}

extension PredicateExpressions.TypeCheck: PredicateNode {
  var operands: [any PredicateExpression] { [input] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let input = evaluation.evaluator(of: input)
    return { try input() is Desired }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(input)) is \(Desired.self)" }
}
