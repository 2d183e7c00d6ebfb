import Foundation

/// Computes the value of an expression for the row or object that its `Evaluation` stands at.
typealias Evaluator<Value> = () throws -> Value

/// A kind of expression that the library knows.
///
/// A predicate is a tree of generic structs, one kind for every operator and function that `#Predicate` accepts. Each kind
/// says what it means in the store's terms, where it means something there; how it is computed where it does not; and how
/// it reads in a message. An expression that somebody else made, of a kind unknown here, is computed by its own `evaluate`.
protocol PredicateNode<Output>: PredicateExpression {
  /// The expressions that this one is made of.
  var operands: [any PredicateExpression] { get }
  /// All expressions that are written in this one, also those that are computed for something else than the predicate's row.
  var parts: [any PredicateExpression] { get }
  /// Whether the value is the same for every row.
  var isSameForEveryRow: Bool { get }
  /// What the expression means for the rows of the store. Only asked of expressions that depend on a row.
  func term(in compiler: PredicateCompiler) -> Term
  /// How the expression is computed, with everything looked up that is the same for all rows. Unlike `evaluate`, which traps
  /// on some, it throws a `FetchError` for every value that it cannot go on with.
  func evaluator(in evaluation: Evaluation) -> Evaluator<Output>
  /// The expression as messages show it.
  func text(in writer: ExpressionWriter) -> String
}

extension PredicateNode {
  var parts: [any PredicateExpression] { operands }
  var isSameForEveryRow: Bool { operands.allSatisfy { $0.isConstant } }
  func term(in compiler: PredicateCompiler) -> Term { .unknown }
}

extension PredicateExpression {
  /// Whether the value is the same for every row.
  var isConstant: Bool {
    (self as? any PredicateNode)?.isSameForEveryRow ?? false
  }
}
