/// A value that a query computes for a row.
///
/// A field compared with a constant is what indexes serve and what is quick to evaluate; everything else is evaluated value by
/// value.
package indirect enum Operand: Sendable {
  case constant(FieldValue)
  /// The value of a field; of a to-one relationship it is the number of the row, as an unsigned integer.
  case field(FieldIndex)
  /// The operand of the row that a to-one relationship leads to; null when it leads nowhere.
  case destination(Relationship, Operand)
  /// How many members of a to-many relationship meet a condition.
  case memberCount(Relationship, where: Condition)
  /// Two numbers combined; null when either is null.
  case arithmetic(Operand, Arithmetic, Operand)
  /// A number with the opposite sign; null when it is null.
  case negated(Operand)
  /// The number of characters of a text or of bytes of data; null when it is null.
  case length(Operand)
  /// The first operand, or the second when the first is null.
  case coalesce(Operand, Operand)
  /// The first operand where the condition is true, otherwise the second.
  case conditional(Condition, Operand, Operand)
  /// Whether a condition is true, as a truth value.
  case truth(Condition)
}

/// What is done with two numbers.
package enum Arithmetic: String, Sendable, Hashable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// Of integers it is the quotient without the rest.
  case divide = "/"
  case remainder = "%"
}
