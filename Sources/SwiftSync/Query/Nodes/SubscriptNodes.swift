import Foundation

extension PredicateExpressions.CollectionIndexSubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, index] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Wrapped.Output.Element> {
    let collection = evaluation.evaluator(of: wrapped)
    let index = evaluation.evaluator(of: index)
    return {
      let elements = try collection()
      let index = try index()
      guard index >= elements.startIndex, index < elements.endIndex else {
        throw FetchError.indexOutOfRange(expression: evaluation.writer.text(of: self))
      }
      return elements[index]
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(wrapped))[\(writer.text(of: index))]" }
}

extension PredicateExpressions.CollectionRangeSubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, range] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Wrapped.Output.SubSequence> {
    let collection = evaluation.evaluator(of: wrapped)
    let range = evaluation.evaluator(of: self.range)
    return {
      let elements = try collection()
      let range = try range()
      guard range.lowerBound >= elements.startIndex, range.upperBound <= elements.endIndex else {
        throw FetchError.indexOutOfRange(expression: evaluation.writer.text(of: self))
      }
      return elements[range]
    }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(wrapped))[\(writer.text(of: range))]" }
}

extension PredicateExpressions.DictionaryKeySubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, key] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Value?> {
    let dictionary = evaluation.evaluator(of: wrapped)
    let key = evaluation.evaluator(of: key)
    return { try dictionary()[key()] }
  }

  func text(in writer: ExpressionWriter) -> String { "\(writer.operand(wrapped))[\(writer.text(of: key))]" }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, key, `default`] }

  func evaluator(in evaluation: Evaluation) -> Evaluator<Default.Output> {
    let dictionary = evaluation.evaluator(of: wrapped)
    let key = evaluation.evaluator(of: key)
    let fallback = evaluation.evaluator(of: `default`)
    return { try dictionary()[key()] ?? fallback() }
  }

  func text(in writer: ExpressionWriter) -> String {
    "\(writer.operand(wrapped))[\(writer.text(of: key)), default: \(writer.text(of: `default`))]"
  }
}
