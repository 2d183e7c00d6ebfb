import FoundationEssentials

/// A view of an encoded record that reads one field without decoding the others.
///
/// The view does not own the bytes; it is valid for as long as they are, which inside of a store is the closure that it was
/// passed to. The bytes must have passed `isWellFormed`: fields are then read without further checks. Asking a field for
/// another type than its own is a mistake of the program; it is asserted, and answered with the type's zero.
@usableFromInline
package struct RecordView {
  let bytes: UnsafeRawBufferPointer
  /// Not owned either, and read without being retained. Whoever makes a view has the layout at least as long as the bytes: it is an
  /// entity's, which is there as long as the catalog, or that of a `Record`.
  private let unownedLayout: Unmanaged<RecordLayout>
  /// Whether the bytes are where the store has them, and so stay as long as the snapshot and until the next write. Otherwise they
  /// are made for a closure, and gone after it.
  let isInStore: Bool

  /// A view of a record that is known to be well formed.
  init(_ bytes: UnsafeRawBufferPointer, _ layout: RecordLayout, isInStore: Bool = false) {
    self.bytes = bytes
    unownedLayout = .passUnretained(layout)
    self.isInStore = isInStore
  }

  var layout: RecordLayout { unownedLayout.takeUnretainedValue() }

  /// The kind and place of a field.
  @inline(__always)
  func place(of field: FieldIndex) -> RecordLayout.Field {
    unownedLayout._withUnsafeGuaranteedRef { $0.fields[field] }
  }

  package func isNull(_ field: FieldIndex) -> Bool {
    let presence = bytes[RecordLayout.presenceOffset + field >> 3]
    return presence & (1 << UInt8(truncatingIfNeeded: field & 7)) == 0
  }

  /// Whether a field is of a kind, and its value always lies in the record.
  package func isInside(_ field: FieldIndex, _ kind: FieldKind) -> Bool {
    let place = place(of: field)
    return place.kind == kind && !place.hasForm
  }

  package func bool(_ field: FieldIndex) -> Bool {
    guard let offset = offset(of: field, .bool) else { return false }
    return bytes[offset] != 0
  }

  /// A signed integer of any width.
  package func int64(_ field: FieldIndex) -> Int64 {
    let place = place(of: field)
    switch place.kind {
    case .int64: return Int64(littleEndian: load(place.place))
    case .int32: return Int64(Int32(littleEndian: load(place.place)))
    case .int16: return Int64(Int16(littleEndian: load(place.place)))
    case .int8: return Int64(load(place.place) as Int8)
    default:
      assertionFailure("Field \(field) is \(place.kind), not a signed integer.")
      return 0
    }
  }

  /// An unsigned integer of any width, or the number of the row that a to-one relationship leads to.
  package func uint64(_ field: FieldIndex) -> UInt64 {
    let place = place(of: field)
    switch place.kind {
    case .uint64, .row: return UInt64(littleEndian: load(place.place))
    case .uint32: return UInt64(UInt32(littleEndian: load(place.place)))
    case .uint16: return UInt64(UInt16(littleEndian: load(place.place)))
    case .uint8: return UInt64(load(place.place) as UInt8)
    default:
      assertionFailure("Field \(field) is \(place.kind), not an unsigned integer.")
      return 0
    }
  }

  package func float(_ field: FieldIndex) -> Float {
    guard let offset = offset(of: field, .float) else { return 0 }
    return Float(bitPattern: UInt32(littleEndian: load(offset)))
  }

  package func double(_ field: FieldIndex) -> Double {
    guard let offset = offset(of: field, .double) else { return 0 }
    return Double(bitPattern: UInt64(littleEndian: load(offset)))
  }

  /// A date as seconds since the reference date.
  package func date(_ field: FieldIndex) -> Double {
    guard let offset = offset(of: field, .date) else { return 0 }
    return Double(bitPattern: UInt64(littleEndian: load(offset)))
  }

  package func uuid(_ field: FieldIndex) -> UUID {
    guard let offset = offset(of: field, .uuid) else {
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return UUID(uuid: load(offset))
  }

  package func decimal(_ field: FieldIndex) -> Decimal {
    guard let offset = offset(of: field, .decimal) else { return 0 }
    return PackedDecimal(reading: slice(offset, PackedDecimal.byteCount)).decimal
  }

  /// The row at the far end of a to-one relationship.
  package func row(_ field: FieldIndex) -> RowNumber? {
    guard let offset = offset(of: field, .row), !isNull(field) else { return nil }
    return RowNumber(rawValue: UInt64(littleEndian: load(offset)))
  }

  /// The bytes of a field of varying length: the text of a string or URL, data, the JSON of a composite value. Empty when
  /// the field is null, and when the content lies outside. Valid for as long as the view is.
  package func utf8(_ field: FieldIndex) -> UnsafeRawBufferPointer {
    let place = place(of: field)
    guard place.kind.fixedByteCount == nil else {
      assertionFailure("Field \(field) is \(place.kind), which has a fixed width.")
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let storage = variableStorage(place)
    guard place.hasForm, !storage.isEmpty else { return storage }
    assert(reference(field) == nil, "The content of field \(field) lies outside of the record.")
    return UnsafeRawBufferPointer(rebasing: storage[(storage[0] == FieldForm.inside.rawValue ? 1 : storage.count)...])
  }

  /// What the record has of a content that lies outside of it; nil when it is inside, or null.
  package func reference(_ field: FieldIndex) -> ContentReference? {
    let place = place(of: field)
    guard place.hasForm, !isNull(field) else { return nil }
    let storage = variableStorage(place)
    guard storage[0] == FieldForm.outside.rawValue else { return nil }
    return ContentReference(reading: UnsafeRawBufferPointer(rebasing: storage[1...]))
  }

  /// The text of a string or URL field.
  package func string(_ field: FieldIndex) -> String {
    String(decoding: utf8(field), as: UTF8.self)
  }

  /// The bytes of a data or composite field.
  package func data(_ field: FieldIndex) -> Data {
    Data(utf8(field))
  }

  /// The field's value, whatever its type. For a content that lies outside it is a reference, which
  /// `RecordSnapshot.value(_:of:row:_:)` follows.
  package func value(_ field: FieldIndex) -> FieldValue {
    if isNull(field) { return .null }
    if let reference = reference(field) { return .external(reference) }
    return switch place(of: field).kind {
    case .bool: .bool(bool(field))
    case .int8, .int16, .int32, .int64: .int(int64(field))
    case .uint8, .uint16, .uint32, .uint64: .uint(uint64(field))
    case .row: row(field).map { .uint($0.rawValue) } ?? .null
    case .float: .float(float(field))
    case .double: .double(double(field))
    case .decimal: .decimal(decimal(field))
    case .date: .date(Date(timeIntervalSinceReferenceDate: date(field)))
    case .uuid: .uuid(uuid(field))
    case .string, .url, .data, .composite: FieldValue(place(of: field).kind, content: utf8(field))
    }
  }

  /// Everything before the checksum.
  var payload: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - RecordLayout.checksumByteCount)])
  }

  /// Whether a field has the same content in another record of the same layout.
  func hasSameContent(_ field: FieldIndex, as other: RecordView) -> Bool {
    guard isNull(field) == other.isNull(field) else { return false }
    // Null fields are zeros or empty, so their bytes are the same.
    return storage(field).hasSameBytes(as: other.storage(field))
  }

  /// The bytes that hold a field's value, its form included.
  func storage(_ field: FieldIndex) -> UnsafeRawBufferPointer {
    let place = place(of: field)
    guard let byteCount = place.kind.fixedByteCount else { return variableStorage(place) }
    return slice(place.place, byteCount)
  }

  private func variableStorage(_ place: RecordLayout.Field) -> UnsafeRawBufferPointer {
    let (ends, contents) = unownedLayout._withUnsafeGuaranteedRef { ($0.headByteCount, $0.variableOffset) }
    let start = contents + (place.place == 0 ? 0 : end(place.place - 1, ends))
    return slice(start, contents + end(place.place, ends) - start)
  }

  private func offset(of field: FieldIndex, _ kind: FieldKind) -> Int? {
    let place = place(of: field)
    assert(place.kind == kind, "Field \(field) is \(place.kind), not \(kind).")
    return place.kind == kind ? place.place : nil
  }

  private func end(_ variable: Int, _ ends: Int) -> Int {
    Int(UInt32(littleEndian: load(ends + 4 * variable)))
  }

  private func load<Value: BitwiseCopyable>(_ offset: Int) -> Value {
    bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  private func slice(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }
}

extension RecordView {
  /// Whether bytes have the structure of a record of the layout, so that every field can be read without leaving them.
  ///
  /// Says nothing about the checksum, which `RecordChecksum` compares. Both are needed: a record written by a program that
  /// went wrong has a correct checksum.
  static func isWellFormed(_ bytes: UnsafeRawBufferPointer, _ layout: RecordLayout) -> Bool {
    guard bytes.count >= layout.recordByteCountMin,
      UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self)) == layout.version
    else { return false }
    var previous: UInt32 = 0
    for variable in 0..<layout.variableCount {
      let offset = layout.headByteCount + 4 * variable
      let end = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      guard end >= previous else { return false }
      previous = end
    }
    guard bytes.count == layout.recordByteCountMin + Int(previous) else { return false }
    return !layout.hasForms || RecordView(bytes, layout).hasSoundForms
  }

  private var hasSoundForms: Bool {
    layout.fields.indices.allSatisfy { field in
      guard layout.fields[field].hasForm, !isNull(field) else { return true }
      let storage = storage(field)
      return switch storage.first.flatMap(FieldForm.init) {
      case .inside: true
      case .outside: storage.count == 1 + ContentReference.encodedByteCount
      case nil: false
      }
    }
  }
}
