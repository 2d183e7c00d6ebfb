import KeyValueStore

extension RecordSnapshot {
  /// Visits the numbers of a source's rows, in an order of its own, possibly some of them repeatedly.
  func forEachRow(in source: Source, of entity: Entity, _ body: (RowNumber) throws -> ScanStep) throws {
    var isStopped = false
    func visit(_ row: RowNumber) throws -> ScanStep {
      let step = try body(row)
      isStopped = step == .stop
      return step
    }
    switch source {
    case .everything: try forEachRecord(of: entity) { row, _ in try visit(row) }
    case .rows(let rows):
      for row in rows where try visit(row) == .stop { return }
    case .index(let access):
      try settle(access.index)
      guard access.isByPrefix else {
        for interval in access.intervals where !isStopped {
          try forEachEntry(of: access.index, in: interval, isReversed: false) { _, row in try visit(row) }
        }
        return
      }
      let table = tables.indexes[access.index.slot]
      try snapshot.withCursor(in: table) { cursor in
        for interval in access.intervals where !isStopped {
          try interval.lower.withUnsafeBytes { prefix in
            try forEachEntry(at: cursor, startingWith: prefix, of: access.index, in: table, visit)
          }
        }
      }
    case .links(let access):
      try run(access.origin) { origin, record in
        if let field = access.direction.field {
          return try record.row(field).map(visit) ?? .continue
        }
        try forEachLink(of: access.direction, owner: origin) { row, _ in try visit(row) }
        return isStopped ? .stop : .continue
      }
    case .union(let sources):
      for source in sources where !isStopped { try forEachRow(in: source, of: entity, visit) }
    }
  }

  /// The numbers of a source's rows in ascending order, each once.
  func sortedRows(in source: Source, of entity: Entity) throws -> [RowNumber] {
    var rows: [RowNumber] = []
    try forEachRow(in: source, of: entity) { row in
      rows.append(row)
      return .continue
    }
    if source.isByRow { return rows }
    rows.sort()
    guard source.hasRepetitions else { return rows }
    var last: RowNumber?
    return rows.filter { row in
      defer { last = row }
      return row != last
    }
  }

  /// The error when a source leads to a row that does not belong to it; nil when that is no damage.
  func damage(of source: Source) -> RecordError? {
    switch source {
    case .everything, .rows, .union: nil
    case .index(let access): damagedEntry(of: access.index)
    case .links(let access):
      damagedEntry(tables.links[access.direction.slot] ?? tables.records[access.direction.entitySlot])
    }
  }
}
