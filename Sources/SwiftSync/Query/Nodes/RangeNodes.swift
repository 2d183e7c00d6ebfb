import Foundation
import Records

extension PredicateExpressions.Range: PredicateNode {
  var operands: [any PredicateExpression] { [lower, upper] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Swift.Range<LHS.Output>> {
    let lower = evaluation.evaluator(of: lower)
    let upper = evaluation.evaluator(of: upper)
    return {
      let bounds = try (lower(), upper())
      guard bounds.0 <= bounds.1 else { throw FetchError.invalidRange(expression: evaluation.writer.text(of: self)) }
      return bounds.0..<bounds.1
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lower))..<\(writer.operand(upper))" }
}

extension PredicateExpressions.ClosedRange: PredicateNode {
  var operands: [any PredicateExpression] { [lower, upper] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Swift.ClosedRange<LHS.Output>> {
    let lower = evaluation.evaluator(of: lower)
    let upper = evaluation.evaluator(of: upper)
    return {
      let bounds = try (lower(), upper())
      guard bounds.0 <= bounds.1 else { throw FetchError.invalidRange(expression: evaluation.writer.text(of: self)) }
      return bounds.0...bounds.1
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lower))...\(writer.operand(upper))" }
}

extension PredicateExpressions.RangeExpressionContains: PredicateNode {
  var operands: [any PredicateExpression] { [range, element] }

  func term(in compiler: PredicateCompiler) -> Term {
    guard let constant = compiler.term(of: range).constant, let range = constant as? RangeExpression.Output
    else { return .unknown }
    return compiler.containment(compiler.term(of: element), in: range)
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let range = evaluation.evaluator(of: range)
    let element = evaluation.evaluator(of: element)
    return { try range().contains(element()) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "(\(writer.text(of: range))).contains(\(writer.text(of: element)))"
  }
}
