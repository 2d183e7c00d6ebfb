import FoundationEssentials

extension Arithmetic {
  /// The result for two values, null when either is null; errors call the calculation `expression`.
  ///
  /// Integers of all widths are calculated exactly and may not leave what 64 bits can hold. A `Float` and a `Float` give a
  /// `Float`; any other pair with a floating-point number a `Double`; any other pair with a decimal a decimal.
  package func result(
    _ left: FieldValue, _ right: FieldValue, expression: @autoclosure () -> String
  ) throws(QueryError) -> FieldValue {
    if left.isNull || right.isNull { return .null }
    guard let leftNumber = left.number else { throw .notANumber(expression: expression(), value: left.text) }
    guard let rightNumber = right.number else { throw .notANumber(expression: expression(), value: right.text) }
    switch (leftNumber, rightNumber) {
    case (.integer(let left), .integer(let right)):
      if right == 0, self == .divide || self == .remainder { throw .divisionByZero(expression: expression()) }
      // Products of numbers of 64 bits fit into 128, so nothing here can overflow but the result's way back.
      guard let result = FieldValue(integer: result(left, right)) else {
        throw .arithmeticOverflow(expression: expression())
      }
      return result
    case (.double(let leftDouble), .double(let rightDouble)):
      if case .float(let left) = left, case .float(let right) = right { return .float(result(left, right)) }
      return .double(result(leftDouble, rightDouble))
    case (.double, _), (_, .double): return .double(result(leftNumber.double, rightNumber.double))
    case (.decimal, _), (_, .decimal):
      return .decimal(try result(leftNumber.decimal, rightNumber.decimal, expression: expression()))
    }
  }

  private func result(_ left: Int128, _ right: Int128) -> Int128 {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .remainder: left % right
    }
  }

  private func result<Value: FloatingPoint>(_ left: Value, _ right: Value) -> Value {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .remainder: left.truncatingRemainder(dividingBy: right)
    }
  }

  private func result(
    _ left: Decimal, _ right: Decimal, expression: @autoclosure () -> String
  ) throws(QueryError) -> Decimal {
    switch self {
    case .add: return left + right
    case .subtract: return left - right
    case .multiply: return left * right
    case .divide:
      if right.isZero { throw .divisionByZero(expression: expression()) }
      return left / right
    case .remainder: throw .notANumber(expression: expression(), value: "the remainder of decimals")
    }
  }
}

extension FieldValue {
  /// An integer of 64 bits, signed if it fits; nil when it is too large.
  init?(integer: Int128) {
    if let value = Int64(exactly: integer) {
      self = .int(value)
    } else if let value = UInt64(exactly: integer) {
      self = .uint(value)
    } else {
      return nil
    }
  }

  /// The number with the opposite sign; null when it is null.
  package func negated(expression: @autoclosure () -> String) throws(QueryError) -> FieldValue {
    switch self {
    case .null: return .null
    case .float(let value): return .float(-value)
    case .double(let value): return .double(-value)
    case .decimal(let value): return .decimal(-value)
    default:
      guard case .integer(let value) = number else { throw .notANumber(expression: expression(), value: text) }
      guard let result = FieldValue(integer: -value) else { throw .arithmeticOverflow(expression: expression()) }
      return result
    }
  }

  /// The number of characters of a text or of bytes of data; null when it is null.
  package func length(expression: @autoclosure () -> String) throws(QueryError) -> FieldValue {
    switch self {
    case .null: return .null
    case .string(let text), .url(let text): return .int(Int64(text.count))
    case .data(let data): return .int(Int64(data.count))
    default: throw .noLength(expression: expression(), value: text)
    }
  }
}

extension Number {
  fileprivate var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    // FoundationEssentials has no conversion, and text is exact.
    case .decimal(let value): Double(value.description) ?? .nan
    }
  }

  fileprivate var decimal: Decimal {
    switch self {
    case .integer(let value): Number.decimal(of: value)
    case .double(let value): Decimal(value)
    case .decimal(let value): value
    }
  }
}
