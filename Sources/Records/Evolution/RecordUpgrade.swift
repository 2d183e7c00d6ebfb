/// Where a field gets its value from in a record of an earlier layout.
struct FieldSource: Codable, Equatable, Sendable {
  /// The position of the field that holds it there; nil when there was none.
  var field: FieldIndex?
  /// The value where there is none, or where it is null. Nil: null.
  var value: FieldValue?
}

/// Reads records of an earlier layout as records of the present one.
///
/// Nothing above `RecordSnapshot` sees the earlier one: it is given the bytes that the record would have if it were written
/// now, checksum included. The stored record changes when its row is next updated.
final class RecordUpgrade: Sendable {
  let layout: RecordLayout
  let sources: [FieldSource]

  init(from layout: RecordLayout, sources: [FieldSource]) {
    self.layout = layout
    self.sources = sources
  }

  /// Fills a builder of the present layout from an earlier record.
  ///
  /// - Returns: False when a value cannot be one of its field's kind, which a check has ruled out when the layout was made.
  func load(_ old: RecordView, into builder: inout RecordBuilder) -> Bool {
    builder.reset()
    for (field, source) in sources.enumerated() {
      guard let origin = source.field, !old.isNull(origin) else {
        if let value = source.value, !builder.set(field, value) { return false }
        continue
      }
      if builder.layout.fields[field].kind.isStored(as: layout.fields[origin].kind) {
        builder.copy(origin, of: old, to: field)
        continue
      }
      let value = FieldConversion.convert(old.value(origin), to: builder.layout.fields[field].kind)
      guard let value, builder.set(field, value) else { return false }
    }
    return true
  }
}

extension Entity {
  /// Runs a closure on what a record of an earlier layout is in the present one.
  ///
  /// - Returns: Nil when the bytes are not a record of any layout of the entity.
  func withUpgrade<Result>(
    of bytes: UnsafeRawBufferPointer, row: RowNumber, _ body: (RecordView) throws -> Result
  ) rethrows -> Result? {
    guard bytes.count >= RecordLayout.presenceOffset else { return nil }
    let version = UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self))
    guard let upgrade = upgrades.first(where: { $0.layout.version == version }),
      RecordView.isWellFormed(bytes, upgrade.layout)
    else { return nil }
    var builder = RecordBuilder(layout)
    guard upgrade.load(RecordView(bytes, upgrade.layout), into: &builder) else { return nil }
    return try builder.withEncoding { record in
      RecordChecksum.write(to: record, entity: id, row: row)
      return try body(RecordView(UnsafeRawBufferPointer(record), layout))
    }
  }
}
