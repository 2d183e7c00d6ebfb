import FoundationEssentials

/// Numbers from the bytes of their text.
enum NumberText {
  /// A whole number that fits into 64 bits and a sign.
  struct Integer {
    var isNegative: Bool
    var magnitude: UInt64

    /// The number in a width, nil if it is out of range.
    @inline(__always)
    func value<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
      guard isNegative else { return Value(exactly: magnitude) }
      // The magnitude of the smallest Int64 is one more than that of the largest.
      guard magnitude <= UInt64(Int64.max) + 1 else { return nil }
      return Value(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }
  }

  /// The whole number that a text is: an optional sign and digits, nothing else.
  @inline(__always)
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Integer? {
    var index = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { index = 1 }
    guard index < text.count else { return nil }
    var magnitude: UInt64 = 0
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { return nil }
      magnitude = sum
      index += 1
    }
    return Integer(isNegative: isNegative, magnitude: magnitude)
  }

  /// The whole part of a number with a fraction or an exponent, nil if it doesn't fit into 64 bits or isn't finite.
  static func wholePart(_ text: UnsafeBufferPointer<UInt8>) -> Integer? {
    // Without an exponent the whole part is written out, and every digit of it counts, also where a double has fewer.
    if !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }), let point = text.firstIndex(of: UInt8(ascii: ".")) {
      return integer(UnsafeBufferPointer(rebasing: text[..<point]))
    }
    guard let value = double(text), value.isFinite else { return nil }
    return UInt64(exactly: value.magnitude.rounded(.towardZero))
      .map { Integer(isNegative: value < 0, magnitude: $0) }
  }

  /// The nearest double to a number's text. Infinite when it is too large; nil when the text is no number at all.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    exactDouble(text) ?? Double(String(decoding: text, as: UTF8.self))
  }

  /// The nearest float to a number's text, rounded once.
  static func float(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
    Float(String(decoding: text, as: UTF8.self))
  }

  /// The double of a short plain number: when its digits fit into 53 bits and the power of ten is exact, one division or
  /// multiplication rounds correctly.
  private static func exactDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var digits: UInt64 = 0
    var digitCount = 0
    var fractionCount = 0
    var isFraction = false
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10, digitCount < 19 else { return nil }
        digits = digits * 10 + UInt64(digit)
        digitCount += 1
        if isFraction { fractionCount += 1 }
      }
      index += 1
    }
    guard digitCount > 0, digits < 1 << 53 else { return nil }
    let magnitude = Double(digits) / powerOfTen(fractionCount)
    return isNegative ? -magnitude : magnitude
  }

  /// 10 to a power of at most 19, which doubles hold exactly.
  private static func powerOfTen(_ exponent: Int) -> Double {
    var power: UInt64 = 1
    for _ in 0..<exponent { power *= 10 }
    return Double(power)
  }

  /// A decimal number and how much of the text it is.
  struct DecimalPrefix {
    var value: Decimal
    /// Whether nothing was left over.
    var isWhole: Bool
  }

  /// The decimal number that a text begins with: white space, a sign, digits with or without a point, an exponent. Nil when
  /// there is no digit to begin with, or the number is out of a decimal's range.
  static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> DecimalPrefix? {
    var index = 0
    func skip(while isWanted: (UInt8) -> Bool) -> Int {
      let start = index
      while index < text.count, isWanted(text[index]) { index += 1 }
      return index - start
    }
    func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

    _ = skip(while: ASCII.isWhiteSpace)
    let start = index
    if index < text.count, isSign(text[index]) { index += 1 }
    var digitCount = skip(while: isDigit)
    var end = index
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      digitCount += skip(while: isDigit)
      end = index
    }
    guard digitCount > 0 else { return nil }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < text.count, isSign(text[index]) { index += 1 }
      if skip(while: isDigit) > 0 { end = index }
    }
    let number = String(decoding: text[start..<end], as: UTF8.self)
    guard let value = Decimal(string: number), !value.isNaN else { return nil }
    index = end
    _ = skip(while: ASCII.isWhiteSpace)
    return DecimalPrefix(value: value, isWhole: index == text.count)
  }
}
