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
/// now, checksum included. The stored record changes when its row is next updated. Since every row of an entity may be read so for
/// a long time, the work is laid out beforehand: a head with the default values, and what is to be copied over it.
final class RecordUpgrade: Sendable {
  /// A field of fixed width and where it comes from.
  private struct Move {
    var source: FieldIndex
    var field: FieldIndex
    var kind: FieldKind
    /// The bytes to copy; nil where the value has to be converted.
    var byteCount: Int?
  }

  /// A field of varying length, where it comes from, and what stands for no value.
  private struct Span {
    var source: FieldIndex?
    var field: FieldIndex
    var value: [UInt8]
    /// What is put in front of an old content that had no form.
    var form: FieldForm?
  }

  let layout: RecordLayout
  let sources: [FieldSource]
  private let newLayout: RecordLayout
  private let head: [UInt8]
  private let moves: [Move]
  private let spans: [Span]

  /// - Returns: Nil when a source's value is not one of its field.
  init?(from layout: RecordLayout, to newLayout: RecordLayout, sources: [FieldSource]) {
    // What is not stored yet has nothing outside.
    var defaults = RecordBuilder(newLayout.keepingContentsInside)
    var moves: [Move] = []
    var spans: [Span] = []
    for (field, source) in sources.enumerated() {
      if let value = source.value, !defaults.set(field, value) { return nil }
      let kind = newLayout.fields[field].kind
      if let byteCount = kind.fixedByteCount {
        guard let origin = source.field else { continue }
        let isCopied = kind.isStored(as: layout.fields[origin].kind)
        moves.append(Move(source: origin, field: field, kind: kind, byteCount: isCopied ? byteCount : nil))
      } else {
        let hadForm = source.field.map { layout.fields[$0].hasForm } ?? true
        spans.append(
          Span(
            source: source.field, field: field,
            value: defaults.withStorage(of: newLayout.fields[field]) { [UInt8]($0) },
            form: newLayout.fields[field].hasForm && !hadForm ? .inside : nil))
      }
    }
    self.layout = layout
    self.newLayout = newLayout
    self.sources = sources
    self.moves = moves
    self.spans = spans
    head = defaults.head
  }

  /// Runs a closure on the record that an earlier one is by now.
  ///
  /// - Returns: Nil when a value cannot be one of its field's kind, which a check has ruled out when the layout was made.
  func withUpgrade<Result>(
    of old: RecordView, entity: EntityID, row: RowNumber, _ body: (RecordView) throws -> Result
  ) rethrows -> Result? {
    let byteCount = spans.reduce(newLayout.recordByteCountMin) { $0 + content(of: $1, in: old).count(of: $1) }
    return try withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { record in
      head.withUnsafeBytes { record.copyMemory(from: $0) }
      for move in moves where !old.isNull(move.source) {
        guard write(move, of: old, to: record) else { return nil }
        markPresent(move.field, in: record)
      }
      writeSpans(of: old, to: record)
      RecordChecksum.write(to: record, entity: entity, row: row)
      return try body(RecordView(UnsafeRawBufferPointer(record), newLayout))
    }
  }

  private func write(_ move: Move, of old: RecordView, to record: UnsafeMutableRawBufferPointer) -> Bool {
    let place = newLayout.fields[move.field].place
    let target = UnsafeMutableRawBufferPointer(rebasing: record[place...])
    guard move.byteCount == nil else {
      target.copyMemory(from: old.storage(move.source))
      return true
    }
    switch FieldConversion.convert(old.value(move.source), to: move.kind) {
    case .int(let value): store(UInt64(bitPattern: value), byteCount: move.kind.fixedByteCount, to: target)
    case .uint(let value): store(value, byteCount: move.kind.fixedByteCount, to: target)
    case .float(let value): target.storeBytes(of: value.bitPattern.littleEndian, as: UInt32.self)
    case .double(let value): target.storeBytes(of: value.bitPattern.littleEndian, as: UInt64.self)
    case .decimal(let value): PackedDecimal(value).write(to: target)
    default: return false
    }
    return true
  }

  /// Stores the low bytes of an integer, which of a negative one are those of a narrower type too.
  private func store(_ value: UInt64, byteCount: Int?, to target: UnsafeMutableRawBufferPointer) {
    withUnsafeBytes(of: value.littleEndian) { bytes in
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount ?? 0)))
    }
  }

  private func writeSpans(of old: RecordView, to record: UnsafeMutableRawBufferPointer) {
    var end = 0
    for (position, span) in spans.enumerated() {
      let content = content(of: span, in: old)
      let target = UnsafeMutableRawBufferPointer(rebasing: record[(newLayout.variableOffset + end)...])
      switch content {
      case .old(let bytes):
        if let form = span.form { target[0] = form.rawValue }
        UnsafeMutableRawBufferPointer(rebasing: target[(span.form == nil ? 0 : 1)...]).copyMemory(from: bytes)
        markPresent(span.field, in: record)
      case .value:
        span.value.withUnsafeBytes { target.copyMemory(from: $0) }
      }
      end += content.count(of: span)
      record.storeBytes(
        of: UInt32(truncatingIfNeeded: end).littleEndian, toByteOffset: newLayout.headByteCount + 4 * position,
        as: UInt32.self)
    }
  }

  /// Whether a field of varying length is the old one or has the value for none.
  private enum Content {
    case old(UnsafeRawBufferPointer)
    case value

    func count(of span: Span) -> Int {
      if case .old(let bytes) = self { bytes.count + (span.form == nil ? 0 : 1) } else { span.value.count }
    }
  }

  private func content(of span: Span, in old: RecordView) -> Content {
    guard let source = span.source, !old.isNull(source) else { return .value }
    return .old(old.storage(source))
  }

  private func markPresent(_ field: FieldIndex, in record: UnsafeMutableRawBufferPointer) {
    record[RecordLayout.presenceOffset + field >> 3] |= 1 << UInt8(truncatingIfNeeded: field & 7)
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
    return try upgrade.withUpgrade(of: RecordView(bytes, upgrade.layout), entity: id, row: row, body)
  }
}
