import Foundation
import Records

extension PredicateExpressions.Arithmetic: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func term(in compiler: PredicateCompiler) -> Term {
    let operation: Records.Arithmetic? =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: nil
      }
    return compiler.calculation(compiler.term(of: lhs), operation, compiler.term(of: rhs), as: LHS.Output.self)
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<LHS.Output> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    let operation: (LHS.Output, LHS.Output) -> LHS.Output? =
      switch op {
      case .add: LHS.Output.addition
      case .subtract: LHS.Output.subtraction
      case .multiply: LHS.Output.multiplication
      @unknown default: { _, _ in nil }
      }
    return {
      guard let result = try operation(left(), right()) else {
        throw FetchError.arithmeticOverflow(expression: evaluation.writer.text(of: self))
      }
      return result
    }
  }

  func text(in writer: ExpressionWriter) -> String {
    let sign =
      switch op {
      case .add: "+"
      case .subtract: "-"
      case .multiply: "*"
      @unknown default: "\(op)"
      }
    return "\(writer.operand(lhs)) \(sign) \(writer.operand(rhs))"
  }
}

extension PredicateExpressions.IntDivision: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.division(compiler.term(of: lhs), .divide, by: compiler.term(of: rhs))
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<LHS.Output> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    let divide = LHS.Output.division
    return {
      let divisor = try right()
      if divisor == 0 { throw FetchError.divisionByZero(expression: evaluation.writer.text(of: self)) }
      guard let result = try divide(left(), divisor) else {
        throw FetchError.arithmeticOverflow(expression: evaluation.writer.text(of: self))
      }
      return result
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) / \(writer.operand(rhs))" }
}

extension PredicateExpressions.IntRemainder: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.division(compiler.term(of: lhs), .remainder, by: compiler.term(of: rhs))
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<LHS.Output> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    let remainder = LHS.Output.remainder
    return {
      let divisor = try right()
      if divisor == 0 { throw FetchError.divisionByZero(expression: evaluation.writer.text(of: self)) }
      guard let result = try remainder(left(), divisor) else {
        throw FetchError.arithmeticOverflow(expression: evaluation.writer.text(of: self))
      }
      return result
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) % \(writer.operand(rhs))" }
}

extension PredicateExpressions.FloatDivision: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.calculation(compiler.term(of: lhs), .divide, compiler.term(of: rhs), as: LHS.Output.self)
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<LHS.Output> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    return { try left() / right() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) / \(writer.operand(rhs))" }
}

extension PredicateExpressions.UnaryMinus: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Wrapped.Output> {
    let value = evaluation.evaluator(of: wrapped)
    // Zero minus the value would lose the sign of a floating-point zero.
    let negate: (Wrapped.Output) -> Wrapped.Output? =
      Wrapped.Output.self is any FixedWidthInteger.Type
      ? { Wrapped.Output.subtraction(.zero, $0) } : { -$0 }
    return {
      guard let result = try negate(value()) else {
        throw FetchError.arithmeticOverflow(expression: evaluation.writer.text(of: self))
      }
      return result
    }
  }

  func text(in writer: ExpressionWriter) -> String { "-\(writer.operand(wrapped))" }
}
