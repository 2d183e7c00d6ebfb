import FoundationEssentials

/// A preserved value as bytes: a tag that says what it is, and the value. It can be read without knowing the attribute's type,
/// which may have changed since. Of a content outside of the record it has what the record has: the reference.
enum TombstoneValue {
  private enum Tag: UInt8 {
    case null, bool, int, uint, float, double, date, uuid, decimal, string, url, data, composite, external
  }

  static func write(_ value: FieldValue, to writer: inout CompactWriter) {
    func tag(_ tag: Tag) { writer.append(byte: tag.rawValue) }
    switch value {
    case .null: tag(.null)
    case .bool(let value):
      tag(.bool)
      writer.append(byte: value ? 1 : 0)
    case .int(let value):
      tag(.int)
      // Small negative numbers are short too.
      writer.append(UInt64(bitPattern: value << 1 ^ value >> 63))
    case .uint(let value):
      tag(.uint)
      writer.append(value)
    case .float(let value):
      tag(.float)
      writer.append(fixed: value.bitPattern.littleEndian)
    case .double(let value):
      tag(.double)
      writer.append(fixed: value.bitPattern.littleEndian)
    case .date(let value):
      tag(.date)
      writer.append(fixed: value.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    case .uuid(let value):
      tag(.uuid)
      writer.append(fixed: value.uuid)
    case .decimal(let value):
      tag(.decimal)
      let packed = PackedDecimal(value)
      writer.append(fixed: packed.significand.littleEndian)
      writer.append(byte: UInt8(bitPattern: packed.exponent))
      writer.append(byte: packed.sign.rawValue)
    case .string(let value):
      tag(.string)
      writer.append(counted: value.utf8)
    case .url(let value):
      tag(.url)
      writer.append(counted: value.utf8)
    case .data(let value):
      tag(.data)
      writer.append(counted: value)
    case .composite(let value):
      tag(.composite)
      writer.append(counted: value)
    case .external(let reference):
      tag(.external)
      reference.withBytes { writer.append(counted: $0) }
    }
  }

  static func read(from reader: inout CompactReader) throws(MalformedBytes) -> FieldValue {
    guard let tag = Tag(rawValue: try reader.byte()) else { throw MalformedBytes() }
    switch tag {
    case .null: return .null
    case .bool: return .bool(try reader.byte() != 0)
    case .int:
      let number = try reader.number()
      return .int(Int64(bitPattern: number >> 1 ^ (0 &- (number & 1))))
    case .uint: return .uint(try reader.number())
    case .float: return .float(Float(bitPattern: UInt32(littleEndian: try reader.fixed(UInt32.self))))
    case .double: return .double(try double(from: &reader))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: try double(from: &reader)))
    case .uuid: return .uuid(UUID(uuid: try reader.fixed(uuid_t.self)))
    case .decimal:
      let significand = UInt128(littleEndian: try reader.fixed(UInt128.self))
      let exponent = Int8(bitPattern: try reader.byte())
      guard let sign = PackedDecimal.Sign(rawValue: try reader.byte()) else { throw MalformedBytes() }
      return .decimal(PackedDecimal(significand: significand, exponent: exponent, sign: sign).decimal)
    case .string: return .string(String(decoding: try reader.counted(), as: UTF8.self))
    case .url: return .url(String(decoding: try reader.counted(), as: UTF8.self))
    case .data: return .data(Data(try reader.counted()))
    case .composite: return .composite(Data(try reader.counted()))
    case .external:
      guard let reference = ContentReference(encoded: try reader.counted()) else { throw MalformedBytes() }
      return .external(reference)
    }
  }

  private static func double(from reader: inout CompactReader) throws(MalformedBytes) -> Double {
    Double(bitPattern: UInt64(littleEndian: try reader.fixed(UInt64.self)))
  }
}
