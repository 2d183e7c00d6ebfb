/// Reads values as the types that users ask for.
enum ValueConversion {
  /// A value as one of a type, if that can hold it: whole numbers in every width, floating-point numbers in both, and each of them in
  /// an optional.
  static func convert<Value>(_ value: Any, to type: Value.Type) -> Value? {
    if let value = value as? Value { return value }
    let converted: Any? =
      switch type {
      case let type as any BinaryInteger.Type: (value as? Int).flatMap { integer($0, type) }
      case let type as any BinaryFloatingPoint.Type: number(value).map { floating($0, type) }
      case let type as any OptionalType.Type: type.wrapping(value)
      default: nil
      }
    // Nothing can be cast to an optional of anything.
    return converted.flatMap { $0 as? Value }
  }

  /// A value without the optionals that it is in, or may be in as an `Any`; nil for an optional of nothing.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard let optional = value as? any OptionalType else { return value }
    return unwrapped(optional.content)
  }

  private static func integer<Value: BinaryInteger>(_ value: Int, _ type: Value.Type) -> Any? { Value(exactly: value) }

  private static func floating<Value: BinaryFloatingPoint>(_ value: Double, _ type: Value.Type) -> Any { Value(value) }

  private static func number(_ value: Any) -> Double? { value as? Double ?? (value as? Float).map { Double($0) } }
}

/// An optional of whatever type.
private protocol OptionalType {
  static func wrapping(_ value: Any) -> Any?
  var content: Any? { get }
}

extension Optional: OptionalType {
  fileprivate static func wrapping(_ value: Any) -> Any? { ValueConversion.convert(value, to: Wrapped.self) }

  fileprivate var content: Any? { self }
}
