import FoundationEssentials
import Glibc

/// Encodes values into keys whose byte order is the order of the values, as Swift's `<` defines it, nulls first.
///
/// (Text has the order of its composed form. `<` has the same for composed text, and contradicts itself for some that is not.)
///
/// Keys are appended one behind another into one buffer, so that a batch of them needs no allocation each; `bytes.count`
/// before and after tells where one lies. docs/on-disk-format.md describes the bytes.
package struct KeyEncoder {
  package internal(set) var bytes: [UInt8] = []

  /// The tags in front of every value.
  enum Tag {
    static let null: UInt8 = 0
    static let value: UInt8 = 1
  }

  package init() {}

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes back the last bytes.
  mutating func removeLast(_ count: Int) {
    bytes.removeLast(count)
  }

  /// A key, or a part of one, that was encoded before.
  package mutating func append(encoded: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: encoded)
  }

  package mutating func appendNull() {
    bytes.append(Tag.null)
  }

  package mutating func append(_ value: Bool) {
    bytes.append(Tag.value)
    bytes.append(value ? 1 : 0)
  }

  /// A signed integer of any width: all widths have one form.
  package mutating func append(_ value: Int64) {
    bytes.append(Tag.value)
    appendBigEndian(KeyEncoder.word(of: value))
  }

  /// An unsigned integer of any width.
  package mutating func append(_ value: UInt64) {
    bytes.append(Tag.value)
    appendBigEndian(value)
  }

  /// A floating-point number: -0 is 0, and NaN, which Swift cannot order, comes after everything else. `Float` is encoded as
  /// the `Double` that it equals.
  package mutating func append(_ value: Double) {
    bytes.append(Tag.value)
    appendBigEndian(KeyEncoder.word(of: value))
  }

  /// What stands behind the tag of a signed integer.
  static func word(of value: Int64) -> UInt64 {
    UInt64(bitPattern: value) ^ (1 << 63)
  }

  /// What stands behind the tag of a floating-point number.
  static func word(of value: Double) -> UInt64 {
    if value.isNaN { return UInt64.max }
    // Adding zero turns -0 into 0.
    let bits = (value + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// A date, as seconds since the reference date.
  package mutating func append(dateSeconds: Double) {
    append(dateSeconds)
  }

  package mutating func append(_ value: UUID) {
    // Seventeen single bytes, so there is no padding among them.
    withUnsafeBytes(of: (Tag.value, value.uuid)) { bytes.append(contentsOf: $0) }
  }

  /// Data, or the JSON of a composite value: ordered byte by byte.
  package mutating func append(data: UnsafeRawBufferPointer) {
    bytes.append(Tag.value)
    appendEscaped(data)
  }

  /// A row number, which has no tag: it only occurs as the last part of a key and is never null.
  mutating func append(_ row: RowNumber) {
    appendBigEndian(row.rawValue)
  }

  /// Bytes with an end mark that sorts before every continuation: 00 00 ends, and a zero inside becomes 00 FF.
  mutating func appendEscaped(_ content: UnsafeRawBufferPointer) {
    var rest = content
    while let base = rest.baseAddress, let zero = memchr(base, 0, rest.count) {
      let end = base.distance(to: zero) + 1
      bytes.append(contentsOf: rest[..<end])
      bytes.append(0xFF)
      rest = UnsafeRawBufferPointer(rebasing: rest[end...])
    }
    bytes.append(contentsOf: rest)
    bytes.append(0)
    bytes.append(0)
  }

  mutating func appendBigEndian(_ value: UInt64) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

// MARK: - Values of a record's fields

extension KeyEncoder {
  /// One field of a record, null included.
  mutating func append(_ field: FieldIndex, of record: RecordView) {
    if record.isNull(field) {
      appendNull()
      return
    }
    switch record.place(of: field).kind {
    case .bool: append(record.bool(field))
    case .int8, .int16, .int32, .int64: append(record.int64(field))
    case .uint8, .uint16, .uint32, .uint64: append(record.uint64(field))
    case .float: append(Double(record.float(field)))
    case .double: append(record.double(field))
    case .date: append(dateSeconds: record.date(field))
    case .decimal: append(record.decimal(field))
    case .uuid: append(record.uuid(field))
    case .string, .url: append(utf8: record.utf8(field))
    case .data, .composite: append(data: record.utf8(field))
    case .row: append(record.row(field)?.rawValue ?? 0)
    }
  }

  /// A value whose type is known only at run time, as a key of an attribute of the given type.
  ///
  /// - Returns: False, with nothing appended, when no value of that type can equal it (a text for a number, 300 for an
  ///   `Int8`): no row has such a key.
  package mutating func append(_ value: FieldValue, as type: AttributeType) -> Bool {
    switch (value, type) {
    case (.null, _): appendNull()
    case (.bool(let value), .bool): append(value)
    case (.int(let value), .int8), (.int(let value), .int16), (.int(let value), .int32), (.int(let value), .int64):
      append(value)
    case (.uint(let value), .uint8), (.uint(let value), .uint16), (.uint(let value), .uint32),
      (.uint(let value), .uint64):
      append(value)
    case (.float(let value), .float): append(Double(value))
    case (.double(let value), .double): append(value)
    case (.date(let value), .date): append(dateSeconds: value.timeIntervalSinceReferenceDate)
    case (.decimal(let value), .decimal): append(value)
    case (.uuid(let value), .uuid): append(value)
    case (.string(let value), .string), (.url(let value), .url): append(value)
    case (.data(let value), .data), (.composite(let value), .composite): value.withUnsafeBytes { append(data: $0) }
    default: return false
    }
    return true
  }
}
