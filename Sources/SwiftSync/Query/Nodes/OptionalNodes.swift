import Foundation
import Records

extension PredicateExpressions.OptionalFlatMap: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, transform] }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.term(of: wrapped).map { value in
      if case .none = value { return Term(.none) }
      return compiler.binding(variable.key, to: Term(value)) { compiler.term(of: transform) }
    }
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Result?> {
    evaluation.writer.call(variable.key, "\(evaluation.writer.operand(wrapped))?")
    let wrapped = evaluation.evaluator(of: wrapped)
    let cell = evaluation.cell(of: variable)
    // The closure's result is either the result's type or already an optional of it.
    let transform: Any = evaluation.evaluator(of: transform)
    let optional = transform as? Evaluator<Result?>
    let plain = transform as? Evaluator<Result>
    return {
      guard let value = try wrapped() else { return nil }
      cell.value = value
      return try optional.map { try $0() } ?? plain?()
    }
  }

  func text(in writer: ExpressionWriter) -> String {
    writer.call(variable.key, "\(writer.operand(wrapped))?")
    return writer.text(of: transform)
  }
}

extension PredicateExpressions.NilCoalesce: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func term(in compiler: PredicateCompiler) -> Term {
    let fallback = compiler.term(of: rhs)
    return compiler.term(of: lhs).map { if case .none = $0 { fallback } else { Term($0) } }
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<RHS.Output> {
    let value = evaluation.evaluator(of: lhs)
    let fallback = evaluation.evaluator(of: rhs)
    return { try value() ?? fallback() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) ?? \(writer.operand(rhs))" }
}

extension PredicateExpressions.ForcedUnwrap: PredicateNode {
  var operands: [any PredicateExpression] { [inner] }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.term(of: inner).map { if case .none = $0 { .unknown } else { Term($0) } }
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Wrapped> {
    let value = evaluation.evaluator(of: inner)
    return {
      guard let value = try value() else {
        throw FetchError.forcedUnwrapOfNil(expression: evaluation.writer.text(of: inner))
      }
      return value
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(inner))!" }
}
