import FoundationEssentials

extension KeyEncoder {
  /// A decimal: its class (NaN first, as `Decimal` orders it), the place of its first digit, its digits.
  ///
  /// The digits are those of the shortest significand, so the first digit is not zero and the place of the first digit orders
  /// by magnitude. For negative numbers everything behind the class is inverted.
  package mutating func append(_ value: Decimal) {
    bytes.append(Tag.value)
    let packed = PackedDecimal(value)
    switch packed.sign {
    case .notANumber: bytes.append(DecimalClass.notANumber)
    case _ where packed.significand == 0: bytes.append(DecimalClass.zero)
    case .plus:
      bytes.append(DecimalClass.positive)
      appendMagnitude(packed, inverting: 0)
    case .minus:
      bytes.append(DecimalClass.negative)
      appendMagnitude(packed, inverting: 0xFF)
    }
  }

  private enum DecimalClass {
    static let notANumber: UInt8 = 0
    static let negative: UInt8 = 1
    static let zero: UInt8 = 2
    static let positive: UInt8 = 3
  }

  private mutating func appendMagnitude(_ packed: PackedDecimal, inverting mask: UInt8) {
    let digits = String(packed.significand).utf8
    // From 1 - 128 to 39 + 127, made positive and big-endian.
    let place = UInt16(digits.count + Int(packed.exponent) + 256)
    bytes.append(UInt8(place >> 8) ^ mask)
    bytes.append(UInt8(place & 0xFF) ^ mask)
    // Zero ends the digits, so it sorts a number before every longer one that starts with the same digits.
    for digit in digits { bytes.append(digit ^ mask) }
    bytes.append(mask)
  }
}

extension KeyEncoder {
  /// Where a decimal ends in a key, given where its class is; nil when the key ends before it.
  static func endOfDecimal(from start: Int, in key: UnsafeRawBufferPointer) -> Int? {
    guard start < key.count else { return nil }
    let mask: UInt8
    switch key[start] {
    case DecimalClass.positive: mask = 0
    case DecimalClass.negative: mask = 0xFF
    default: return start + 1
    }
    let digits = start + 3
    return digits < key.count ? key[digits...].firstIndex(of: mask).map { $0 + 1 } : nil
  }
}
