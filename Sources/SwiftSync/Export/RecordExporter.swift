import Foundation
import Records
import SyncEngine

/// Writes rows as JSON text straight from their records, in one snapshot: what `ModelExporter` makes of their objects, without
/// the objects. All classes that it comes to must be mapped ones.
struct RecordExporter {
  var text: ExportText

  private let core: ContainerCore
  private let snapshot: RecordSnapshot
  private let options: ExportOptions
  private let exports: RecordExports
  private let dates: ExportDates
  /// What was asked for so far. A list, because an object may be of few classes, and each object asks.
  private var known: [(entity: EntityID, export: RecordExport)] = []
  /// The rows around the one that is being written, from the outermost on.
  private var path: [Place] = []

  private struct Place: Equatable {
    var entity: EntityID
    var row: RowNumber
  }

  init(
    _ core: ContainerCore, _ snapshot: RecordSnapshot, _ options: ExportOptions, _ exports: RecordExports,
    _ dates: ExportDates, to text: ExportText
  ) {
    self.text = text
    self.core = core
    self.snapshot = snapshot
    self.options = options
    self.exports = exports
    self.dates = dates
  }

  /// Writes a row as an object; an empty one if the row is around it already, or too deep for a payload.
  ///
  /// - Throws: `RecordError` for damage, `ModelError.unknownModel`.
  mutating func write(_ row: RowNumber, _ binding: ModelBinding) throws {
    let place = Place(entity: binding.entity.id, row: row)
    text.writer.beginObject()
    defer { text.writer.endObject() }
    guard path.count < ModelExporter.depthMax, !path.contains(place) else { return }
    let export = try export(of: binding)
    path.append(place)
    defer { path.removeLast() }
    _ = try snapshot.withRecord(row, of: binding.entity) { record in
      try write(export.members, of: record, row, binding.entity)
    }
  }

  private mutating func export(of binding: ModelBinding) throws -> RecordExport {
    let entity = binding.entity.id
    if let known = known.first(where: { $0.entity == entity }) { return known.export }
    let export = try exports.export(of: binding, options, in: core)
    known.append((entity, export))
    return export
  }

  private mutating func write(
    _ members: [RecordExport.Member], of record: RecordView, _ row: RowNumber, _ entity: Entity
  ) throws {
    for member in members {
      text.writer.writeKey(encoded: member.key)
      switch member.content {
      case .value(let field, let type): try write(field, type, of: record, row, entity)
      case .object(let field, let destination):
        if let related = record.row(field) { try write(related, destination) } else { text.writer.writeNull() }
      case .objects(let relationship, let destination):
        text.writer.beginArray()
        for member in try snapshot.members(of: relationship, owner: row) { try write(member, destination) }
        text.writer.endArray()
      case .identity(let field, let far):
        if let related = record.row(field) { try writeIdentity(of: related, far) } else { text.writer.writeNull() }
      case .identities(let relationship, let far):
        text.writer.beginArray()
        for member in try snapshot.members(of: relationship, owner: row) { try writeIdentity(of: member, far) }
        text.writer.endArray()
      case .group(let members):
        text.writer.beginObject()
        try write(members, of: record, row, entity)
        text.writer.endObject()
      case .null: text.writer.writeNull()
      case .none:
        text.writer.beginArray()
        text.writer.endArray()
      }
    }
  }

  private mutating func writeIdentity(of row: RowNumber, _ far: RecordExport.Far) throws {
    let isThere: Void? = try snapshot.withRecord(row, of: far.entity) { record in
      try write(far.identity, far.type, of: record, row, far.entity)
    }
    if isThere == nil { text.writer.writeNull() }
  }

  // MARK: Values

  private mutating func write(
    _ field: FieldIndex, _ type: AttributeType, of record: RecordView, _ row: RowNumber, _ entity: Entity
  ) throws {
    if record.isNull(field) { return text.writer.writeNull() }
    switch type {
    case .bool: text.writer.write(record.bool(field))
    case .int8, .int16, .int32, .int64: text.writer.write(record.int64(field))
    case .uint8, .uint16, .uint32, .uint64: text.writer.write(record.uint64(field))
    case .float: write(record.float(field))
    case .double: write(record.double(field))
    case .decimal: text.writer.write(record.decimal(field))
    case .date: writeDate(record.date(field))
    case .uuid: text.writer.write(record.uuid(field))
    case .string, .url, .data, .composite:
      guard record.reference(field) == nil else {
        return write(try snapshot.value(field, of: record, row: row, entity), type)
      }
      write(record.utf8(field), type)
    }
  }

  private mutating func write(_ content: UnsafeRawBufferPointer, _ type: AttributeType) {
    switch type {
    case .data: text.writer.writeData(content)
    case .composite: text.writer.writeJSON(content)
    default: text.writer.writeString(utf8: content)
    }
  }

  /// Writes a content that lies outside of its record.
  private mutating func write(_ content: FieldValue, _ type: AttributeType) {
    switch content {
    case .string(let value), .url(let value): text.writer.writeString(value)
    case .data(let data), .composite(let data): data.withUnsafeBytes { write($0, type) }
    default: text.writer.writeNull()
    }
  }

  /// JSON has no form for NaN and the infinities.
  private mutating func write(_ number: Double) {
    if number.isFinite { text.writer.write(number) } else { text.writer.writeNull() }
  }

  private mutating func write(_ number: Float) {
    if number.isFinite { text.writer.write(number) } else { text.writer.writeNull() }
  }

  private mutating func writeDate(_ seconds: Double) {
    if dates.isStandard {
      text.writer.writeDate(seconds)
    } else {
      text.writer.writeString(dates.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
    }
  }
}
