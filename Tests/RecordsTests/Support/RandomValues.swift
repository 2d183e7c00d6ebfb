import FoundationEssentials
import Records
import TestSupport

extension SplitMix64 {
  /// A value of an attribute type: often one of the values at which encodings go wrong, otherwise any.
  mutating func value(of type: AttributeType) -> FieldValue {
    switch type {
    case .bool: .bool(chance(50))
    case .int8: .int(Int64(integer() as Int8))
    case .int16: .int(Int64(integer() as Int16))
    case .int32: .int(Int64(integer() as Int32))
    case .int64: .int(integer())
    case .uint8: .uint(UInt64(integer() as UInt8))
    case .uint16: .uint(UInt64(integer() as UInt16))
    case .uint32: .uint(UInt64(integer() as UInt32))
    case .uint64: .uint(integer())
    case .float: .float(Float(double()))
    case .double: .double(double())
    case .decimal: .decimal(decimal())
    case .string: .string(text())
    case .date: .date(Date(timeIntervalSinceReferenceDate: double()))
    case .uuid: .uuid(uuid())
    case .url: .url(text())
    case .data: .data(data())
    case .composite: .composite(data())
    }
  }

  mutating func integer<Integer: FixedWidthInteger>() -> Integer {
    let edges: [Integer] = [.min, .min + 1, .max, .max - 1, 0, 1, 2]
    return chance(40) ? pick(edges) ?? 0 : Integer.random(in: .min ... .max, using: &self)
  }

  /// Any double that is not NaN, which has no order and no equality of its own.
  mutating func double() -> Double {
    let edges: [Double] = [
      0, -0.0, 1, -1, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
      .pi, 1e-300,
    ]
    if chance(30) { return pick(edges) ?? 0 }
    let value = chance(50) ? Double(bitPattern: next()) : Double.random(in: -1000...1000, using: &self)
    return value.isNaN ? 0 : value
  }

  mutating func decimal() -> Decimal {
    let edges: [Decimal] = [
      0, 1, -1, 10, Decimal(sign: .plus, exponent: 2, significand: 1), .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .leastNonzeroMagnitude, Decimal(sign: .minus, exponent: -128, significand: 15),
      Decimal(sign: .plus, exponent: 127, significand: 1000),
    ]
    if chance(30) { return pick(edges) ?? 0 }
    return Decimal(
      sign: chance(50) ? .plus : .minus, exponent: Int.random(in: -8...8, using: &self),
      significand: Decimal(next() >> UInt64(below(64))))
  }

  mutating func text() -> String {
    let pieces = [
      "", "a", "b", "ab", "\0", "\u{1}", "z", "é", "e\u{301}", "ẹ\u{307}", "e\u{323}\u{307}", "日本", "🚀", "\u{FFFF}",
      "\u{10000}",
      "ﬁ", "\u{1100}\u{1161}", "가", "\u{7F}", "\u{80}", "\u{300}", "Å", "A\u{30A}", "\u{212B}",
    ]
    return (0..<below(6)).reduce(into: "") { text, _ in text += pick(pieces) ?? "" }
  }

  mutating func uuid() -> UUID {
    let words = (next(), chance(30) ? 0 : next())
    return withUnsafeBytes(of: words) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  mutating func data() -> Data {
    Data((0..<below(20)).map { _ in chance(30) ? 0 : UInt8(truncatingIfNeeded: next()) })
  }
}
