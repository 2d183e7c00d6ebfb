import FoundationEssentials

extension RecordBuilder {
  package func isNull(_ field: FieldIndex) -> Bool {
    head[RecordLayout.presenceOffset + field >> 3] & (1 << UInt8(field & 7)) == 0
  }

  /// The row at the far end of a to-one relationship.
  package func row(_ field: FieldIndex) -> RowNumber? {
    head.withUnsafeBytes { RecordView($0, layout).row(field) }
  }

  /// The value that a field has so far.
  package func value(_ field: FieldIndex) -> FieldValue {
    let place = layout.fields[field]
    if isNull(field) || place.kind.fixedByteCount != nil {
      // The head lies as in a record, and these fields are read from nowhere else.
      return head.withUnsafeBytes { RecordView($0, layout).value(field) }
    }
    if let content = contents[field] { return content.withBytes { FieldValue(place.kind, content: $0) } }
    if let reference = reference(field) { return .external(reference) }
    return withStorage(of: place) { storage in
      FieldValue(place.kind, content: UnsafeRawBufferPointer(rebasing: storage[(place.hasForm ? 1 : 0)...]))
    }
  }

  package mutating func setNull(_ field: FieldIndex) {
    let place = layout.fields[field]
    if let byteCount = place.kind.fixedByteCount {
      // Null fields are zero, so that equal content is equal bytes.
      for offset in place.place..<(place.place + byteCount) { head[offset] = 0 }
    } else {
      spans[place.place] = Span()
      if place.hasForm { contents[field] = nil }
    }
    head[RecordLayout.presenceOffset + field >> 3] &= ~(1 << UInt8(field & 7))
  }

  @discardableResult
  package mutating func setBool(_ field: FieldIndex, _ value: Bool) -> Bool {
    layout.fields[field].kind == .bool && store(field, UInt8(value ? 1 : 0))
  }

  /// Sets a signed integer of any width; false when the value does not fit the field.
  @discardableResult
  package mutating func setInt64(_ field: FieldIndex, _ value: Int64) -> Bool {
    switch layout.fields[field].kind {
    case .int64: store(field, value.littleEndian)
    case .int32: Int32(exactly: value).map { store(field, $0.littleEndian) } ?? false
    case .int16: Int16(exactly: value).map { store(field, $0.littleEndian) } ?? false
    case .int8: Int8(exactly: value).map { store(field, $0) } ?? false
    default: false
    }
  }

  /// Sets an unsigned integer of any width; false when the value does not fit the field.
  @discardableResult
  package mutating func setUInt64(_ field: FieldIndex, _ value: UInt64) -> Bool {
    switch layout.fields[field].kind {
    case .uint64: store(field, value.littleEndian)
    case .uint32: UInt32(exactly: value).map { store(field, $0.littleEndian) } ?? false
    case .uint16: UInt16(exactly: value).map { store(field, $0.littleEndian) } ?? false
    case .uint8: UInt8(exactly: value).map { store(field, $0) } ?? false
    default: false
    }
  }

  @discardableResult
  package mutating func setFloat(_ field: FieldIndex, _ value: Float) -> Bool {
    // One NaN is like another: the bits that tell them apart are no content.
    let bits = value.isNaN ? Float.nan.bitPattern : value.bitPattern
    return layout.fields[field].kind == .float && store(field, bits.littleEndian)
  }

  @discardableResult
  package mutating func setDouble(_ field: FieldIndex, _ value: Double) -> Bool {
    layout.fields[field].kind == .double && storeDouble(field, value)
  }

  /// Sets a date as seconds since the reference date.
  @discardableResult
  package mutating func setDate(_ field: FieldIndex, _ seconds: Double) -> Bool {
    layout.fields[field].kind == .date && storeDouble(field, seconds)
  }

  @discardableResult
  package mutating func setUUID(_ field: FieldIndex, _ value: UUID) -> Bool {
    layout.fields[field].kind == .uuid && store(field, value.uuid)
  }

  @discardableResult
  package mutating func setDecimal(_ field: FieldIndex, _ value: Decimal) -> Bool {
    let place = layout.fields[field]
    guard place.kind == .decimal else { return false }
    let packed = PackedDecimal(value)
    head.withUnsafeMutableBytes { head in
      packed.write(
        to: UnsafeMutableRawBufferPointer(rebasing: head[place.place..<(place.place + PackedDecimal.byteCount)]))
    }
    markPresent(field)
    return true
  }

  /// Sets the row at the far end of a to-one relationship.
  @discardableResult
  package mutating func setRow(_ field: FieldIndex, _ row: RowNumber?) -> Bool {
    guard layout.fields[field].kind == .row else { return false }
    guard let row else {
      setNull(field)
      return true
    }
    return store(field, row.rawValue.littleEndian)
  }

  /// Sets a value whose type is known only at run time; false when it is not the field's.
  @discardableResult
  package mutating func set(_ field: FieldIndex, _ value: FieldValue) -> Bool {
    switch (value, layout.fields[field].kind) {
    case (.null, _):
      setNull(field)
      return true
    case (.bool(let value), _): return setBool(field, value)
    case (.int(let value), _): return setInt64(field, value)
    case (.uint(let value), .row): return setRow(field, RowNumber(rawValue: value))
    case (.uint(let value), _): return setUInt64(field, value)
    case (.float(let value), _): return setFloat(field, value)
    case (.double(let value), _): return setDouble(field, value)
    case (.decimal(let value), _): return setDecimal(field, value)
    case (.date(let value), _): return setDate(field, value.timeIntervalSinceReferenceDate)
    case (.uuid(let value), _): return setUUID(field, value)
    case (.string(let value), .string), (.url(let value), .url): return setString(field, value)
    case (.data(let value), .data), (.composite(let value), .composite): return setData(field, value)
    default: return false
    }
  }

  private mutating func storeDouble(_ field: FieldIndex, _ value: Double) -> Bool {
    store(field, (value.isNaN ? Double.nan : value).bitPattern.littleEndian)
  }

  private mutating func store<Value: BitwiseCopyable>(_ field: FieldIndex, _ value: Value) -> Bool {
    let offset = layout.fields[field].place
    head.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: Value.self) }
    markPresent(field)
    return true
  }

  mutating func markPresent(_ field: FieldIndex) {
    head[RecordLayout.presenceOffset + field >> 3] |= 1 << UInt8(truncatingIfNeeded: field & 7)
  }
}
