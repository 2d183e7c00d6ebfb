import Foundation

// On Linux, `#Predicate` refuses `expression.evaluate(value)`, and Foundation's predicates take no expression as a part. A
// subscript they take.

#if !canImport(Darwin)
extension Expression {
  /// The expression's value, so that `#Predicate` accepts it as a part: `#Predicate<Task> { urgency[$0] > 3 }`.
  public subscript(_ input: repeat each Input) -> Output {
    get throws { try evaluate(repeat each input) }
  }
}

extension PredicateExpressions {
  /// An `#Expression` as a part of a predicate. A predicate with one can be sent, but not archived.
  public struct EmbeddedExpression<Input: PredicateExpression, Output>: PredicateExpression {
    /// The expression.
    public let expression: Expression<Input.Output, Output>
    /// What it is evaluated on.
    public let input: Input

    /// Makes an expression a part of a predicate.
    public init(_ expression: Expression<Input.Output, Output>, input: Input) {
      self.expression = expression
      self.input = input
    }

    /// The expression's value.
    public func evaluate(_ bindings: PredicateBindings) throws -> Output {
      try expression.evaluate(input.evaluate(bindings))
    }
  }

  /// Called by what `#Predicate` makes of an expression's subscript.
  public static func build_subscript<Input: PredicateExpression, Output>(
    _ expression: Value<Expression<Input.Output, Output>>, _ input: Input
  ) -> EmbeddedExpression<Input, Output> {
    EmbeddedExpression(expression.value, input: input)
  }
}

extension PredicateExpressions.EmbeddedExpression: Sendable where Input: Sendable {}

extension PredicateExpressions.EmbeddedExpression: Codable {
  /// Always throws: an expression cannot be archived.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "An expression cannot be archived."))
  }

  /// Always throws: an expression cannot be archived.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      expression,
      EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "An expression cannot be archived."))
  }
}

extension PredicateExpressions.EmbeddedExpression: StandardPredicateExpression
where Input: StandardPredicateExpression {}
#endif
