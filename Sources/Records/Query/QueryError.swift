/// Why a query cannot be evaluated. Each case names the part of the query that is at fault.
public enum QueryError: Error, Sendable, Equatable {
  /// The result is beyond what a number of its type can be.
  case arithmeticOverflow(expression: String)
  /// An integer or decimal is divided by zero.
  case divisionByZero(expression: String)
  /// Something is calculated with a value that is not a number.
  case notANumber(expression: String, value: String)
  /// The length of a value that has none.
  case noLength(expression: String, value: String)
  /// The relationship is to-one where a to-many one is needed, or the reverse, or belongs to another entity.
  case wrongRelationship(expression: String, relationship: String)
  /// The entity has no field with that number.
  case noSuchField(entity: String, field: Int)
}

extension QueryError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .arithmeticOverflow(let expression):
      "The result of \(expression) is too large for a number."
    case .divisionByZero(let expression):
      "\(expression) divides by zero."
    case .notANumber(let expression, let value):
      "\(expression) cannot be calculated: \(value) is not a number."
    case .noLength(let expression, let value):
      "\(expression) cannot be calculated: \(value) has no length."
    case .wrongRelationship(let expression, let relationship):
      "\(expression) cannot be evaluated with the relationship \(relationship)."
    case .noSuchField(let entity, let field):
      "\(entity) has no field \(field)."
    }
  }
}
