import Foundation
import Records

extension PredicateExpressions.Conjunction: PredicateNode, ConjunctionNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
  var conjuncts: [any PredicateExpression<Bool>] { lhs.conjuncts + rhs.conjuncts }

  func term(in compiler: PredicateCompiler) -> Term {
    let left = compiler.judgement(of: lhs)
    let right = compiler.judgement(of: rhs)
    return Judgement(
      holds: .both(left.holds, right.holds),
      // Where the left side is false the right one is not evaluated.
      unsure: .either(left.unsure, .both(left.candidates, right.unsure))
    ).term
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    return { try left() && right() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) && \(writer.operand(rhs))" }
}

/// Lets generic code see the sides of a conjunction.
protocol ConjunctionNode {
  var conjuncts: [any PredicateExpression<Bool>] { get }
}

extension PredicateExpression where Output == Bool {
  /// The expressions that are all true where this one is, in the order in which they are evaluated.
  var conjuncts: [any PredicateExpression<Bool>] { (self as? any ConjunctionNode)?.conjuncts ?? [self] }
}

extension PredicateExpressions.Disjunction: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func term(in compiler: PredicateCompiler) -> Term {
    let left = compiler.judgement(of: lhs)
    let right = compiler.judgement(of: rhs)
    return Judgement(
      holds: .either(left.holds, right.holds),
      // Where the left side is true the right one is not evaluated.
      unsure: .either(left.unsure, .both(left.holds.negated, right.unsure))
    ).term
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let left = evaluation.evaluator(of: lhs)
    let right = evaluation.evaluator(of: rhs)
    return { try left() || right() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(lhs)) || \(writer.operand(rhs))" }
}

extension PredicateExpressions.Negation: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped] }

  func term(in compiler: PredicateCompiler) -> Term {
    let inner = compiler.judgement(of: wrapped)
    return Judgement(holds: inner.holds.negated, unsure: inner.unsure).term
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let inner = evaluation.evaluator(of: wrapped)
    return { try !inner() }
  }

  func text(in writer: ExpressionWriter) -> String { "!\(writer.operand(wrapped))" }
}

extension PredicateExpressions.Conditional: PredicateNode {
  var operands: [any PredicateExpression] { [test, trueBranch, falseBranch] }

  func term(in compiler: PredicateCompiler) -> Term {
    let test = compiler.judgement(of: test)
    let branches = Term(
      [
        Term.Case(condition: test.holds, value: .truth(.always)),
        Term.Case(condition: test.holds.negated, value: .truth(.never)),
      ], unsure: test.unsure)
    let first = compiler.term(of: trueBranch)
    let second = compiler.term(of: falseBranch)
    return branches.map { if case .truth(.always) = $0 { first } else { second } }
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<If.Output> {
    let test = evaluation.evaluator(of: test)
    let first = evaluation.evaluator(of: trueBranch)
    let second = evaluation.evaluator(of: falseBranch)
    return { try test() ? first() : second() }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(test)) ? \(writer.operand(trueBranch)) : \(writer.operand(falseBranch))"
  }
}
