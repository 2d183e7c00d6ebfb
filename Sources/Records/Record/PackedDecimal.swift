import FoundationEssentials

/// A `Decimal` in 18 bytes: significand (16), exponent (1), sign (1), the significand without trailing zeros.
///
/// `Decimal` hides its words, so its significand goes through text; that is slow and fine for what decimals are used for.
struct PackedDecimal: Equatable {
  static let byteCount = 18

  enum Sign: UInt8 {
    case plus, minus, notANumber
  }

  var significand: UInt128
  var exponent: Int8
  var sign: Sign

  /// The one form of a value: equal decimals (1.0 and 1.00) are packed alike.
  init(_ decimal: Decimal) {
    guard !decimal.isNaN, let magnitude = UInt128(decimal.significand.description) else {
      self.init(significand: 0, exponent: 0, sign: .notANumber)
      return
    }
    var significand = magnitude
    var exponent = Int8(clamping: decimal.exponent)
    guard significand != 0 else {
      self.init(significand: 0, exponent: 0, sign: .plus)
      return
    }
    // The largest exponent is the end: what still ends in zeros there cannot be written with fewer digits.
    while exponent < Int8.max {
      let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { break }
      significand = quotient
      exponent += 1
    }
    self.init(significand: significand, exponent: exponent, sign: decimal.sign == .minus ? .minus : .plus)
  }

  init(significand: UInt128, exponent: Int8, sign: Sign) {
    self.significand = significand
    self.exponent = exponent
    self.sign = sign
  }

  var decimal: Decimal {
    guard sign != .notANumber else { return .nan }
    let high = Decimal(UInt64(truncatingIfNeeded: significand >> 64))
    let low = Decimal(UInt64(truncatingIfNeeded: significand))
    let magnitude = high * (Decimal(UInt64.max) + 1) + low
    return Decimal(sign: sign == .minus ? .minus : .plus, exponent: Int(exponent), significand: magnitude)
  }

  init(reading bytes: UnsafeRawBufferPointer) {
    significand = UInt128(littleEndian: bytes.loadUnaligned(as: UInt128.self))
    exponent = Int8(bitPattern: bytes[16])
    sign = Sign(rawValue: bytes[17]) ?? .notANumber
  }

  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: significand.littleEndian, as: UInt128.self)
    bytes[16] = UInt8(bitPattern: exponent)
    bytes[17] = sign.rawValue
  }
}
