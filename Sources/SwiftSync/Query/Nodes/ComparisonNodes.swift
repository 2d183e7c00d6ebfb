import Foundation
import Records

extension PredicateExpressions.Equal: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
  var isSameForEveryRow: Bool { lhs.isConstant && rhs.isConstant }

  func term(in compiler: PredicateCompiler) -> Term {
    compiler.equality(compiler.term(of: lhs), compiler.term(of: rhs)) { left, right in
      guard let left = left as? LHS.Output, let right = right as? LHS.Output else { return nil }
      return left == right
    }.term
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    return { try left() == right() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) == \(writer.operand(rhs))" }
}

extension PredicateExpressions.NotEqual: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
  var isSameForEveryRow: Bool { lhs.isConstant && rhs.isConstant }

  func term(in compiler: PredicateCompiler) -> Term {
    let equality = compiler.equality(compiler.term(of: lhs), compiler.term(of: rhs)) { left, right in
      guard let left = left as? LHS.Output, let right = right as? LHS.Output else { return nil }
      return left == right
    }
    return Judgement(holds: equality.holds.negated, unsure: equality.unsure).term
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    return { try left() != right() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) != \(writer.operand(rhs))" }
}

extension PredicateExpressions.Comparison: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
  var isSameForEveryRow: Bool { lhs.isConstant && rhs.isConstant }

  func term(in compiler: PredicateCompiler) -> Term {
    let compare = compare
    return compiler.order(compiler.term(of: lhs), op.comparison, compiler.term(of: rhs)) { left, right in
      guard let left = left as? LHS.Output, let right = right as? LHS.Output else { return nil }
      return compare(left, right)
    }.term
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    let compare = compare
    return { try compare(left(), right()) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(lhs)) \(op.text) \(writer.operand(rhs))"
  }

  private var compare: (LHS.Output, LHS.Output) -> Bool {
    switch op {
    case .lessThan: { $0 < $1 }
    case .lessThanOrEqual: { $0 <= $1 }
    case .greaterThan: { $0 > $1 }
    case .greaterThanOrEqual: { $0 >= $1 }
    @unknown default: { _, _ in false }
    }
  }
}

extension PredicateExpressions.ComparisonOperator {
  fileprivate var comparison: Comparison {
    switch self {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    @unknown default: .less
    }
  }

  fileprivate var text: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    @unknown default: "\(self)"
    }
  }
}
