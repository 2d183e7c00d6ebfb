import KeyValueStore
import Records

/// Copies the rows of a store that has lost entries into a new one, which makes its indexes and links anew.
///
/// A row is copied if its record is as it was written and has every value that it must have. Links are copied if both rows
/// are, from either direction.
final class RecordSalvage: @unchecked Sendable {
  // Unchecked: used by one thread at a time. The write that it is handed to is waited for.

  /// How many losses are listed.
  private static let lossesMax = 1000

  private let snapshot: RecordSnapshot
  private(set) var losses: [String] = []
  private(set) var lossCount = 0
  /// How many rows were copied, and how many there should have been, by entity.
  private(set) var counts: [(entity: String, copied: Int, expected: Int?)] = []
  /// The numbers of the copies.
  private var copies: [EntityID: [RowNumber: RowNumber]] = [:]

  init(_ snapshot: RecordSnapshot) {
    self.snapshot = snapshot
  }

  /// - Throws: What the transaction throws, which must not be committed then.
  func run(in transaction: RecordTransaction) throws {
    for entity in snapshot.catalog.entities {
      guard let target = transaction.catalog.entity(named: entity.name) else { continue }
      Supervisor.noteActivity("copying the rows of \(entity.name)")
      try copyRows(of: entity, to: target, transaction)
    }
    for entity in snapshot.catalog.entities {
      guard let target = transaction.catalog.entity(named: entity.name) else { continue }
      Supervisor.noteActivity("copying the links of \(entity.name)")
      for (row, copy) in (copies[entity.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
        try Interruption.check()
        try copyLinks(of: row, entity, to: copy, target, transaction)
      }
    }
    try removeIncomplete(in: transaction)
    try countLinks(in: transaction)
    for entity in snapshot.catalog.entities {
      let expected = try? snapshot.count(of: entity)
      counts.append((entity.name, copies[entity.id]?.count ?? 0, expected))
    }
  }

  private func note(_ loss: String) {
    lossCount += 1
    if losses.count < Self.lossesMax { losses.append(loss) }
  }

  // MARK: Rows

  private func copyRows(of entity: Entity, to target: Entity, _ transaction: RecordTransaction) throws {
    var rows: [RowNumber] = []
    do { try snapshot.forEachRow(of: entity) { rows.append($0) } } catch let error as RecordError {
      note("\(entity.name): \(error)")
    }
    for row in rows {
      try Interruption.check()
      do {
        let copy = try snapshot.withRecord(row, of: entity) { record in
          try insert(record, row, of: entity, as: target, transaction)
        }
        if let copy { copies[entity.id, default: [:]][row] = copy }
      } catch let error as RecordError {
        note("\(entity.name) row \(row.rawValue): \(error)")
      }
    }
  }

  private func insert(
    _ record: RecordView, _ row: RowNumber, of entity: Entity, as target: Entity, _ transaction: RecordTransaction
  ) throws -> RowNumber {
    var builder = RecordBuilder(target.layout)
    var values: [String: FieldValue] = [:]
    for attribute in entity.attributes {
      guard let field = target.attribute(named: attribute.name)?.field else { continue }
      let value = try snapshot.value(attribute.field, of: record, row: row, entity)
      values[attribute.name] = value
      builder.set(field, value)
    }
    // Two rows of one identity would make the whole copy fail; in a sound store there are none.
    for index in target.indexes where index.isUnique {
      let key = index.attributes.map { values[$0.name] ?? .null }
      if !key.contains(.null), let other = try transaction.firstRow(where: index, equals: key) {
        throw RecordError.uniqueConflict(
          entity: entity.name, attributes: index.attributes.map(\.name), value: "", row: row, otherRow: other)
      }
    }
    return try transaction.insert(&builder, into: target)
  }

  // MARK: Links

  private func copyLinks(
    of row: RowNumber, _ entity: Entity, to copy: RowNumber, _ target: Entity, _ transaction: RecordTransaction
  ) throws {
    var destinations: [(field: FieldIndex, row: RowNumber)] = []
    for relationship in entity.relationships {
      guard let copied = target.relationship(named: relationship.name) else { continue }
      let known = copies[relationship.destination] ?? [:]
      do {
        if let field = copied.field {
          guard let destination = try snapshot.destination(of: relationship, row: row) else { continue }
          if let end = known[destination] {
            destinations.append((field, end))
          } else {
            note("\(entity.name) row \(row.rawValue): \(relationship.name) led to a row that is lost")
          }
          continue
        }
        let members = try snapshot.members(of: relationship, owner: row)
        let kept = members.compactMap { known[$0] }
        if kept.count < members.count {
          note("\(entity.name) row \(row.rawValue): \(members.count - kept.count) of \(relationship.name) are lost")
        }
        // The other direction may have kept what this one has lost.
        let isKept = Set(kept)
        let others = try transaction.members(of: copied, owner: copy).filter { !isKept.contains($0) }
        _ = try transaction.setMembers(of: copied, owner: copy, to: kept + others)
      } catch let error as RecordError {
        note("\(entity.name) row \(row.rawValue), \(relationship.name): \(error)")
      }
    }
    if destinations.isEmpty { return }
    var builder = RecordBuilder(target.layout)
    _ = try transaction.withRecord(copy, of: target) { builder.load($0) }
    for destination in destinations { builder.setRow(destination.field, destination.row) }
    _ = try transaction.update(copy, of: target, with: &builder)
  }

  /// Links of which neither direction can be read show only in their number.
  private func countLinks(in transaction: RecordTransaction) throws {
    for entity in snapshot.catalog.entities {
      for relationship in entity.relationships where relationship.isToMany {
        guard let expected = try? snapshot.linkCount(of: relationship),
          let copied = transaction.catalog.entity(named: entity.name)?.relationship(named: relationship.name)
        else { continue }
        let found = try transaction.linkCount(of: copied)
        if found < expected { note("\(entity.name).\(relationship.name): \(found) of \(expected) links") }
      }
    }
  }

  /// Removes rows that have to lead somewhere and don't, and then those that have to lead to these.
  private func removeIncomplete(in transaction: RecordTransaction) throws {
    var isOver = false
    while !isOver {
      isOver = true
      for entity in snapshot.catalog.entities {
        guard let target = transaction.catalog.entity(named: entity.name) else { continue }
        let required = target.relationships.filter { $0.description.isRequired }
        if required.isEmpty { continue }
        for (row, copy) in copies[entity.id] ?? [:] {
          guard try transaction.contains(copy, of: target) else {
            copies[entity.id]?[row] = nil
            continue
          }
          let lacking = try required.first { try transaction.destination(of: $0, row: copy) == nil }
          guard let lacking else { continue }
          note("\(entity.name) row \(row.rawValue): it has to have a \(lacking.name), which is lost")
          copies[entity.id]?[row] = nil
          _ = try transaction.delete(copy, of: target)
          isOver = false
        }
      }
    }
  }
}
