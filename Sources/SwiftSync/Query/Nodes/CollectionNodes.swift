import Foundation

extension PredicateExpressions.SequenceContains: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, element] }

  func term(in compiler: PredicateCompiler) -> Term {
    let elements = compiler.term(of: sequence)
    let element = compiler.term(of: element)
    guard let constant = elements.constant else { return compiler.membership(of: element, among: elements) }
    if let range = constant as? any RangeExpression { return compiler.containment(element, in: range) }
    guard let elements = constant as? LHS.Output else { return .unknown }
    return compiler.membership(element, in: Array(elements))
  }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let sequence = evaluation.evaluator(of: sequence)
    let element = evaluation.evaluator(of: element)
    return { try sequence().contains(element()) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(sequence)).contains(\(writer.text(of: element)))"
  }
}

extension PredicateExpressions.SequenceContainsWhere: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, test] }

  func term(in compiler: PredicateCompiler) -> Term { compiler.quantified(sequence, variable, test, any: true) }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let sequence = evaluation.evaluator(of: sequence)
    let test = evaluation.test(test, of: variable)
    return { try sequence().contains(where: test) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(sequence)).contains { \(writer.closure(test, of: variable.key)) }"
  }
}

extension PredicateExpressions.SequenceAllSatisfy: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, test] }

  func term(in compiler: PredicateCompiler) -> Term { compiler.quantified(sequence, variable, test, any: false) }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Bool> {
    let sequence = evaluation.evaluator(of: sequence)
    let test = evaluation.test(test, of: variable)
    return { try sequence().allSatisfy(test) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(sequence)).allSatisfy { \(writer.closure(test, of: variable.key)) }"
  }
}

extension PredicateExpressions.Filter: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, filter] }

  func term(in compiler: PredicateCompiler) -> Term { compiler.filtered(sequence, variable, filter) }

  func evaluator(in evaluation: Evaluation) -> Evaluator<[LHS.Output.Element]> {
    let sequence = evaluation.evaluator(of: sequence)
    let test = evaluation.test(filter, of: variable)
    return { try sequence().filter(test) }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(sequence)).filter { \(writer.closure(filter, of: variable.key)) }"
  }
}

extension PredicateExpressions.SequenceMinimum: PredicateNode {
  var operands: [any PredicateExpression] { [elements] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Elements.Output.Element?> {
    let elements = evaluation.evaluator(of: elements)
    return { try elements().min() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(elements)).min()" }
}

extension PredicateExpressions.SequenceMaximum: PredicateNode {
  var operands: [any PredicateExpression] { [elements] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Elements.Output.Element?> {
    let elements = evaluation.evaluator(of: elements)
    return { try elements().max() }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(elements)).max()" }
}

extension Evaluation {
  /// A closure's test, as a function of the element that its variable stands for.
  fileprivate func test<Test: PredicateExpression, Element>(
    _ test: Test, of variable: PredicateExpressions.Variable<Element>
  ) -> (Element) throws -> Bool where Test.Output == Bool {
    writer.nameElement(variable.key)
    let cell = cell(of: variable)
    let evaluate = evaluator(of: test)
    return { element in
      cell.value = element
      return try evaluate()
    }
  }
}
