import KeyValueStore

extension InvariantCheck {
  /// Every transaction is readable, lies where the history goes, and names rows that were handed out; no consumer has read
  /// further than the history goes.
  mutating func checkHistory() throws {
    let table = tables.history
    let snapshot = snapshot
    let floor = try value(or: HistoryState()) { try snapshot.historyState() }.floor
    var last = HistoryToken.start
    let nextRows = try catalog.entities.map { entity in try counter { try snapshot.nextRow(of: entity) } }
    try scan(table) { check, key, value in
      do {
        last = try HistoryEntry.token(key, in: table)
        guard let transaction = try HistoryEntry.read(key, value, in: table) else { return }
        let isOutside = transaction.token <= floor
        if isOutside || check.rowsBeyond(nextRows, in: transaction) {
          check.violations.append(.wrongTransaction(token: last.rawValue))
        }
      } catch RecordError.damagedTransaction(let token) {
        check.violations.append(.damagedTransaction(token: token))
      } catch RecordError.damagedEntry(let table) {
        check.violations.append(.damagedEntry(table: table))
      }
    }
    if violations.count >= limit { return }
    if floor > last { violations.append(.wrongTransaction(token: floor.rawValue)) }
    for consumer in try value(or: [], { try snapshot.historyConsumers() }) where consumer.token > last {
      violations.append(.consumerBeyondHistory(name: consumer.name))
    }
  }

  private func rowsBeyond(_ nextRows: [UInt64], in transaction: HistoryTransaction) -> Bool {
    transaction.sections.contains { section in
      guard let entity = catalog[section.entity] else { return false }
      let rows = [section.inserted, section.deleted] + section.updated.map(\.rows)
      return rows.contains { ($0.runs.last?.upperBound ?? 0) >= nextRows[entity.slot] }
    }
  }
}
