import Foundation

/// Payload values as plain values, for code that was written for dictionaries. Numbers are number objects, as `JSONSerialization` makes them: a cast to
/// whatever type they fit in succeeds.
extension PayloadValue {
  /// The members of an object; none for anything else. Of several with one key the last counts.
  package var nativeObject: [String: Any] {
    Dictionary(members.map { ($0.key.string, $0.value.native) }, uniquingKeysWith: { _, last in last })
  }

  /// The value as `JSONSerialization` would make it, or as it was given.
  package var native: Any {
    switch kind {
    case .null: NSNull()
    case .bool: isNativeBool ? isTrue : NSNumber(value: isTrue)
    case .integer: integer
    case .real: real
    case .nativeReal: Double(string) ?? NSNull()
    case .decimal: NSDecimalNumber(string: string, locale: nil)
    case .string: string
    case .url: URL(string: string) ?? string
    case .data: Data(bytes)
    case .date: Date(timeIntervalSinceReferenceDate: dateSeconds)
    case .uuid: UUID(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self))
    case .array: elements.map(\.native)
    case .object: nativeObject
    }
  }

  private var integer: Any {
    let text = string
    if let number = Int(text) { return NSNumber(value: number) }
    if let number = UInt64(text) { return NSNumber(value: number) }
    return real
  }

  /// A double if that has all the digits of the text, and otherwise a decimal number, if that has.
  private var real: Any {
    let text = string
    guard let double = Double(text), double.isFinite else { return NSDecimalNumber(string: text, locale: nil) }
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
    // Fifteen digits always survive a double, and a decimal holds thirty-eight.
    guard digits.count > 15, digits.count <= 38, let decimal = Decimal(string: text) else {
      return NSNumber(value: double)
    }
    return NSDecimalNumber(decimal: decimal)
  }
}
