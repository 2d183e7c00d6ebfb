import FoundationEssentials

extension FieldValue {
  /// Whether two values compare so.
  ///
  /// A null equals a null and nothing else. Numbers of all types compare by their value; NaN equals nothing, itself included.
  /// Texts compare by their composed form, and URLs as the texts that they are. Values of different kinds (a number and a text)
  /// are not equal. Where two values have no order, `less` and its siblings are false, but for dates: see `Comparison.holds(_:_:)`.
  package func matches(_ comparison: Comparison, _ other: FieldValue) -> Bool {
    if isNull || other.isNull {
      return switch comparison {
      case .equal: isNull && other.isNull
      case .notEqual: isNull != other.isNull
      case .less, .lessOrEqual, .greater, .greaterOrEqual: false
      }
    }
    if case .date(let left) = self, case .date(let right) = other { return comparison.holds(left, right) }
    guard let order = order(relativeTo: other) else { return comparison == .notEqual }
    return comparison.holds(order)
  }

  /// Whether there is no value.
  package var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// Less than, equal to or greater than zero as this value is less than, equal to or greater than the other; nil when neither
  /// is.
  private func order(relativeTo other: FieldValue) -> Int? {
    if let left = number, let right = other.number { return left.order(relativeTo: right) }
    if let left = textContent, let right = other.textContent { return left.composedOrder(relativeTo: right) }
    switch (self, other) {
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.uuid(let left), .uuid(let right)):
      return withUnsafeBytes(of: left.uuid) { left in withUnsafeBytes(of: right.uuid) { left.compare($0) } }
    case (.data(let left), .data(let right)), (.composite(let left), .composite(let right)):
      return left.withUnsafeBytes { left in right.withUnsafeBytes { left.compare($0) } }
    default: return nil
    }
  }

  /// The text of a string or URL.
  package var textContent: String? {
    switch self {
    case .string(let text), .url(let text): text
    default: nil
    }
  }

  /// The value as a number; nil when it is something else.
  var number: Number? {
    switch self {
    case .int(let value): .integer(Int128(value))
    case .uint(let value): .integer(Int128(value))
    case .float(let value): .double(Double(value))
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    default: nil
    }
  }
}

/// A number of any type.
enum Number {
  case integer(Int128)
  case double(Double)
  case decimal(Decimal)

  /// Less than, equal to or greater than zero as this number compares with the other; nil when one of them is NaN (of two
  /// decimals, NaN is the least, as `Decimal` has it).
  func order(relativeTo other: Number) -> Int? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.double(let left), .double(let right)):
      return left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
    case (.decimal(let left), .decimal(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .double(let right)): return Number.order(left, right)
    case (.decimal(let left), .integer(let right)): return Number.order(left, Number.decimal(of: right))
    case (.decimal(let left), .double(let right)): return Number.order(left, right)
    case (.double, _), (.integer, .decimal): return other.order(relativeTo: self).map { -$0 }
    }
  }

  private static func order(_ left: Int128, _ right: Double) -> Int? {
    if right.isNaN { return nil }
    // Wider than every integer that a field can hold, and far within what the conversion below can do.
    if abs(right) >= 0x1p100 { return right < 0 ? 1 : -1 }
    let whole = right.rounded(.towardZero)
    let integer = Int128(whole)
    if left != integer { return left < integer ? -1 : 1 }
    return right > whole ? -1 : right < whole ? 1 : 0
  }

  private static func order(_ left: Decimal, _ right: Decimal) -> Int? {
    left.isNaN || right.isNaN ? nil : left < right ? -1 : left == right ? 0 : 1
  }

  private static func order(_ left: Decimal, _ right: Double) -> Int? {
    if left.isNaN || right.isNaN { return nil }
    // Greater than every decimal, so that the conversion below is one of a number that a decimal can hold.
    if abs(right) > 1e166 { return right < 0 ? 1 : -1 }
    return order(left, Decimal(right))
  }

  /// An integer as a decimal, which has digits for all that fields can hold.
  static func decimal(of integer: Int128) -> Decimal {
    let magnitude = integer.magnitude
    let high = Decimal(UInt64(truncatingIfNeeded: magnitude >> 64)) * (Decimal(UInt64.max) + 1)
    let value = high + Decimal(UInt64(truncatingIfNeeded: magnitude))
    return integer < 0 ? -value : value
  }
}

extension String {
  /// Less than, equal to or greater than zero as this text's composed form sorts relative to the other's.
  func composedOrder(relativeTo other: String) -> Int {
    if self == other { return 0 }
    return composed.utf8.lexicographicallyPrecedes(other.composed.utf8) ? -1 : 1
  }

}
