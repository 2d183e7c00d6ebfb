import Foundation
import Records

// What Foundation looks for in a text, and how, is left to Foundation: the nodes here are computed by its own ones, made of
// values instead of expressions.

extension PredicateExpressions.CollectionContainsCollection: PredicateNode {
  var operands: [any PredicateExpression] { [base, other] }

  func term(in compiler: PredicateCompiler) -> Term {
    guard Base.Output.self == String.self, Other.Output.self == String.self else { return .unknown }
    return compiler.match(compiler.term(of: base), TextMatch(.contains), compiler.term(of: other))
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let base = evaluation.evaluator(of: base)
    let other = evaluation.evaluator(of: other)
    return {
      try PredicateExpressions.CollectionContainsCollection<
        PredicateExpressions.Value<Base.Output>, PredicateExpressions.Value<Other.Output>
      >(base: .init(base()), other: .init(other())).evaluate(PredicateBindings())
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(base)).contains(\(writer.text(of: other)))" }
}

extension PredicateExpressions.SequenceStartsWith: PredicateNode {
  var operands: [any PredicateExpression] { [base, prefix] }

  func term(in compiler: PredicateCompiler) -> Term {
    guard Base.Output.self == String.self, Prefix.Output.self == String.self else { return .unknown }
    return compiler.match(compiler.term(of: base), TextMatch(.hasPrefix), compiler.term(of: prefix))
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let base = evaluation.evaluator(of: base)
    let prefix = evaluation.evaluator(of: prefix)
    return { try base().starts(with: prefix()) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(base)).starts(with: \(writer.text(of: prefix)))"
  }
}

extension PredicateExpressions.StringContainsRegex: PredicateNode {
  var operands: [any PredicateExpression] { [subject, regex] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let subject = evaluation.evaluator(of: subject)
    let regex = evaluation.evaluator(of: regex)
    return {
      try PredicateExpressions.StringContainsRegex<
        PredicateExpressions.Value<Subject.Output>, PredicateExpressions.Value<Regex.Output>
      >(subject: .init(subject()), regex: .init(regex())).evaluate(PredicateBindings())
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(subject)).contains(\(writer.text(of: regex)))" }
}
