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
///
/// A class, because a view of a record names its layout, and views are made by the million.
package final class RecordLayout: Sendable {
  /// A field's kind and place.
  struct Field: Sendable {
    let kind: FieldKind
    /// Whether a `FieldForm` stands in front of the content. Once a field has it, it keeps it.
    let hasForm: Bool
    /// Whether a large content that is set goes outside.
    let isExternal: Bool
    /// For a field of fixed width its offset in the record; for one of varying length its position among those.
    let place: Int
  }

  static let presenceOffset = 2
  static let checksumByteCount = 8
  /// The most bytes that a record may have: end offsets are 32 bits wide, and the largest value of a key-value store is
  /// 4 GiB less 16 MiB.
  static let recordByteCountMax = (4096 - 17) << 20
  /// The longest content that a field keeps inside although it could be outside. Four pages: what writing them again with
  /// each change of the row costs is less than what a commit costs anyway, and reading them takes no second look-up.
  static let insideByteCountMax = 16 << 10

  let version: UInt16
  /// A buffer of its own, in which a view finds its fields without counting who refers to them. Unsafe only in its lack of an owner:
  /// it is filled before `init` ends, never written again, and freed by `deinit`.
  nonisolated(unsafe) let fields: UnsafeBufferPointer<Field>
  let presenceByteCount: Int
  let fixedOffset: Int
  /// The length of the head, which is where the end offsets start.
  let headByteCount: Int
  let variableCount: Int
  /// Where the fields of varying length start.
  let variableOffset: Int
  /// Whether any field has a form.
  let hasForms: Bool

  /// - Parameters:
  ///   - version: What records of the layout begin with.
  ///   - kinds: What the fields hold.
  ///   - formed: The fields with a form in front of their content; of varying length.
  ///   - external: Those of them whose large contents go outside.
  init(version: UInt16, kinds: [FieldKind], formed: Set<FieldIndex> = [], external: Set<FieldIndex> = []) {
    self.version = version
    hasForms = !formed.isEmpty
    presenceByteCount = (kinds.count + 7) / 8
    fixedOffset = RecordLayout.presenceOffset + presenceByteCount
    var offset = fixedOffset
    var variable = 0
    let places = kinds.enumerated().map { field, kind in
      guard let byteCount = kind.fixedByteCount else {
        defer { variable += 1 }
        let hasForm = formed.contains(field)
        return Field(
          kind: kind, hasForm: hasForm, isExternal: hasForm && external.contains(field), place: variable)
      }
      defer { offset += byteCount }
      return Field(kind: kind, hasForm: false, isExternal: false, place: offset)
    }
    let buffer = UnsafeMutableBufferPointer<Field>.allocate(capacity: places.count)
    _ = buffer.initialize(from: places)
    fields = UnsafeBufferPointer(buffer)
    headByteCount = offset
    variableCount = variable
    variableOffset = offset + 4 * variable
  }

  deinit {
    fields.deallocate()
  }

  /// The fields with a form in front of their content.
  var formedFields: Set<FieldIndex> { Set(fields.indices.filter { fields[$0].hasForm }) }

  /// The layout for records whose contents are to be inside, however large.
  var keepingContentsInside: RecordLayout {
    RecordLayout(version: version, kinds: fields.map(\.kind), formed: formedFields)
  }

  /// The length of a record in which every field of varying length is empty.
  var recordByteCountMin: Int { variableOffset + RecordLayout.checksumByteCount }
}
