import Foundation

/// The place where a predicate is computed: its row or object, and the values of the variables of its closures.
///
/// Evaluators are made once and ask the place for what changes from row to row.
final class Evaluation {
  let writer: ExpressionWriter
  private let row: (any RowSource)?
  private var variables: [PredicateExpressions.VariableID: any VariableCell] = [:]

  init(row: (any RowSource)?, writer: ExpressionWriter = ExpressionWriter()) {
    self.row = row
    self.writer = writer
  }

  /// How an expression is computed.
  func evaluator<Expression: PredicateExpression>(of expression: Expression) -> Evaluator<Expression.Output> {
    if let node = expression as? any PredicateNode<Expression.Output> { return node.evaluator(in: self) }
    return { [self] in try expression.evaluate(bindings()) }
  }

  /// How the value of a variable is found.
  func evaluator<Value>(of variable: PredicateExpressions.Variable<Value>) -> Evaluator<Value> {
    if let object = row?.object(of: variable) { return object }
    let cell = cell(of: variable)
    return {
      guard let value = cell.value else { throw PredicateError.undefinedVariable }
      return value
    }
  }

  /// How an attribute of the judged row is read, if the key path leads to one and the variable stands for the row.
  func attribute<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, of variable: PredicateExpressions.Variable<Root>
  ) -> Evaluator<Value>? {
    row?.attribute(keyPath, of: variable)
  }

  /// The variable of a closure, to be set before the closure's expression is computed.
  func cell<Value>(of variable: PredicateExpressions.Variable<Value>) -> Cell<Value> {
    if let cell = variables[variable.key] as? Cell<Value> { return cell }
    let cell = Cell(variable)
    variables[variable.key] = cell
    return cell
  }

  /// The values as an expression of an unknown kind wants them.
  private func bindings() throws -> PredicateBindings {
    var bindings = PredicateBindings()
    for cell in variables.values { cell.bind(in: &bindings) }
    try row?.bind(in: &bindings)
    return bindings
  }
}

/// The value that a variable has at the moment.
final class Cell<Value> {
  var value: Value?
  private let variable: PredicateExpressions.Variable<Value>

  init(_ variable: PredicateExpressions.Variable<Value>) {
    self.variable = variable
  }
}

private protocol VariableCell {
  func bind(in bindings: inout PredicateBindings)
}

extension Cell: VariableCell {
  func bind(in bindings: inout PredicateBindings) {
    bindings[variable] = value
  }
}
