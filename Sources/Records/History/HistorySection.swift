/// The changes of one entity in the form in which the history keeps them: rows as runs, properties by their lasting numbers.
struct HistorySection: Sendable {
  let entity: EntityID
  private(set) var inserted = RowRuns()
  /// The updated rows by what differs: many rows of a sync differ in the same properties.
  private(set) var updated: [(mask: [UInt8], rows: RowRuns)] = []
  private(set) var deleted = RowRuns()
  /// The numbers of the preserved attributes, and their values row by row.
  private(set) var preserved: [Int] = []
  private(set) var values: [FieldValue] = []

  /// The parts that a section may have, as bits of its second byte.
  private struct Parts: OptionSet {
    let rawValue: UInt8
    static let inserted = Parts(rawValue: 1)
    static let updated = Parts(rawValue: 2)
    static let deleted = Parts(rawValue: 4)
    static let tombstones = Parts(rawValue: 8)
    static let all: Parts = [.inserted, .updated, .deleted, .tombstones]
  }

  init(_ changes: ChangeSet.EntityChanges, of entity: Entity) {
    let numbers = entity.propertyNumbers
    self.entity = entity.id
    inserted = RowRuns(changes.inserted)
    if changes.updated.count == 1, let (row, properties) = changes.updated.first {
      updated = [(numbers.mask(of: properties), RowRuns([row]))]
    } else if !changes.updated.isEmpty {
      var rowsByProperties: [PropertySet: [RowNumber]] = [:]
      for (row, properties) in changes.updated { rowsByProperties[properties, default: []].append(row) }
      updated = rowsByProperties.map { (numbers.mask(of: $0.key), RowRuns($0.value.sorted())) }
      // By mask, so that the same changes are the same bytes.
      updated.sort { $0.mask.lexicographicallyPrecedes($1.mask) }
    }
    deleted = RowRuns(changes.deleted)
    if !changes.deleted.isEmpty {
      preserved = changes.tombstones.properties.map(numbers.number)
      values = changes.tombstones.values
    }
  }

  func changes(of entity: Entity) -> ChangeSet.EntityChanges {
    let numbers = entity.propertyNumbers
    var changes = ChangeSet.EntityChanges()
    changes.inserted = inserted.rows
    for (mask, rows) in updated {
      let properties = numbers.set(of: mask)
      for row in rows.rows { changes.updated[row] = properties }
    }
    changes.deleted = deleted.rows
    // An attribute that is gone keeps its column, under a number that no property has.
    changes.tombstones = Tombstones(properties: preserved.map { numbers.property(of: $0) ?? -1 }, values: values)
    return changes
  }

  // MARK: Bytes

  func write(to writer: inout CompactWriter) {
    var parts: Parts = []
    if !inserted.isEmpty { parts.insert(.inserted) }
    if !updated.isEmpty { parts.insert(.updated) }
    if !deleted.isEmpty { parts.insert(.deleted) }
    if !preserved.isEmpty { parts.insert(.tombstones) }
    writer.append(UInt64(entity.rawValue))
    writer.append(byte: parts.rawValue)
    if !inserted.isEmpty { inserted.write(to: &writer) }
    if !updated.isEmpty {
      writer.append(count: updated.count)
      for (mask, rows) in updated {
        writer.append(counted: mask)
        rows.write(to: &writer)
      }
    }
    if !deleted.isEmpty { deleted.write(to: &writer) }
    if !preserved.isEmpty {
      writer.append(count: preserved.count)
      for number in preserved { writer.append(count: number) }
      for value in values { TombstoneValue.write(value, to: &writer) }
    }
  }

  init(from reader: inout CompactReader) throws(MalformedBytes) {
    guard let number = UInt32(exactly: try reader.number()) else { throw MalformedBytes() }
    entity = EntityID(rawValue: number)
    let parts = Parts(rawValue: try reader.byte())
    guard parts.isSubset(of: .all), !parts.isEmpty else { throw MalformedBytes() }
    if parts.contains(.inserted) { inserted = try RowRuns(from: &reader) }
    if parts.contains(.updated) {
      for _ in 0..<(try reader.count()) {
        let mask = [UInt8](try reader.counted())
        updated.append((mask, try RowRuns(from: &reader)))
      }
    }
    if parts.contains(.deleted) { deleted = try RowRuns(from: &reader) }
    if parts.contains(.tombstones) {
      for _ in 0..<(try reader.count()) {
        guard let number = Int(exactly: try reader.number()) else { throw MalformedBytes() }
        preserved.append(number)
      }
      guard !preserved.isEmpty else { throw MalformedBytes() }
      for run in deleted.runs {
        for _ in run {
          for _ in preserved { values.append(try TombstoneValue.read(from: &reader)) }
        }
      }
    }
  }
}
