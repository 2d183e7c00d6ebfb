/// The position of a field among the fields of a record.
package typealias FieldIndex = Int

/// What a field of a record holds. The catalog names the kinds of earlier layouts.
package enum FieldKind: String, Sendable, Codable {
  case bool
  case int8, int16, int32, int64
  case uint8, uint16, uint32, uint64
  case float, double
  case decimal
  case date
  case uuid
  /// The row at the far end of a to-one relationship.
  case row
  case string, url
  case data, composite

  init(_ type: AttributeType) {
    self =
      switch type {
      case .bool: .bool
      case .int8: .int8
      case .int16: .int16
      case .int32: .int32
      case .int64: .int64
      case .uint8: .uint8
      case .uint16: .uint16
      case .uint32: .uint32
      case .uint64: .uint64
      case .float: .float
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .date: .date
      case .uuid: .uuid
      case .url: .url
      case .data: .data
      case .composite: .composite
      }
  }

  /// The bytes that a value takes in the fixed section; nil when its length varies.
  var fixedByteCount: Int? {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16: 2
    case .int32, .uint32, .float: 4
    case .int64, .uint64, .double, .date, .row: 8
    case .decimal: PackedDecimal.byteCount
    case .uuid: 16
    case .string, .url, .data, .composite: nil
    }
  }
}

/// Where the fields of an entity's records lie. docs/on-disk-format.md describes the bytes.
///
/// A record is: layout version (2 bytes), presence bits, the fixed section, the end offsets of the fields of varying
/// length (4 bytes each), those fields, checksum (8 bytes). Everything up to the end offsets has one length for all records
/// of a layout and is called the head.
package struct RecordLayout: Sendable {
  /// A field's kind and place.
  struct Field: Sendable {
    let kind: FieldKind
    /// For a field of fixed width its offset in the record; for one of varying length its position among those.
    let place: Int
  }

  static let presenceOffset = 2
  static let checksumByteCount = 8
  /// The most bytes that a record may have: end offsets are 32 bits wide, and the largest value of a key-value store is
  /// 4 GiB less 16 MiB.
  static let recordByteCountMax = (4096 - 17) << 20

  let version: UInt16
  let fields: [Field]
  let presenceByteCount: Int
  let fixedOffset: Int
  /// The length of the head, which is where the end offsets start.
  let headByteCount: Int
  let variableCount: Int

  init(version: UInt16, kinds: [FieldKind]) {
    self.version = version
    presenceByteCount = (kinds.count + 7) / 8
    fixedOffset = RecordLayout.presenceOffset + presenceByteCount
    var offset = fixedOffset
    var variable = 0
    fields = kinds.map { kind in
      guard let byteCount = kind.fixedByteCount else {
        defer { variable += 1 }
        return Field(kind: kind, place: variable)
      }
      defer { offset += byteCount }
      return Field(kind: kind, place: offset)
    }
    headByteCount = offset
    variableCount = variable
  }

  /// Where the fields of varying length start.
  var variableOffset: Int { headByteCount + 4 * variableCount }

  /// The length of a record in which every field of varying length is empty.
  var recordByteCountMin: Int { variableOffset + RecordLayout.checksumByteCount }
}
