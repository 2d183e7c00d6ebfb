import Records

/// Lets generic code see the bounds of any kind of range.
protocol ConstantRange {
  var lower: Any? { get }
  var upper: Any? { get }
  var includesUpper: Bool { get }
}

extension ConstantRange {
  /// Of which rows the operand's value is in the range; nil if the bounds are not values that a field can hold.
  func condition(of operand: Operand) -> Condition? {
    var condition = Condition.always
    if let lower {
      guard let bound = FieldValue(storing: lower) else { return nil }
      condition = .both(condition, .comparing(operand, .greaterOrEqual, .constant(bound)))
    }
    if let upper {
      guard let bound = FieldValue(storing: upper) else { return nil }
      condition = .both(condition, .comparing(operand, includesUpper ? .lessOrEqual : .less, .constant(bound)))
    }
    return condition
  }
}

extension Range: ConstantRange {
  var lower: Any? { lowerBound }
  var upper: Any? { upperBound }
  var includesUpper: Bool { false }
}

extension ClosedRange: ConstantRange {
  var lower: Any? { lowerBound }
  var upper: Any? { upperBound }
  var includesUpper: Bool { true }
}

extension PartialRangeFrom: ConstantRange {
  var lower: Any? { lowerBound }
  var upper: Any? { nil }
  var includesUpper: Bool { true }
}

extension PartialRangeUpTo: ConstantRange {
  var lower: Any? { nil }
  var upper: Any? { upperBound }
  var includesUpper: Bool { false }
}

extension PartialRangeThrough: ConstantRange {
  var lower: Any? { nil }
  var upper: Any? { upperBound }
  var includesUpper: Bool { true }
}
