import KeyValueStore

/// Does the work of an evolution, inside of the transaction that writes the new catalog.
///
/// Everything is read through the old or the new catalog, whose upgrades make one of the other; a row is written only where
/// links are stored in another form, and where its entity has too many layouts.
struct EvolutionRun {
  let step: MigrationStep
  let oldTables: StoreTables
  let newCatalog: Catalog
  let newTables: StoreTables
  let history: HistoryLog
  let progress: @Sendable (EvolutionProgress) -> Void

  var evolution: CatalogEvolution { step.evolution }

  /// - Throws: `RecordError.schemaMismatch` with every condition that rows do not meet; `.uniqueConflict` with two rows of a
  ///   new unique constraint; `.damagedRecord` and what else reading throws; what the step's own work throws.
  func run(in transaction: WriteTransaction, of environment: Environment) throws {
    if let work = step.willMigrate {
      try RecordStore.run(
        work, in: transaction, of: environment, catalog: evolution.oldCatalog, tables: oldTables, history: history)
    }
    try evolve(transaction)
    if let work = step.didMigrate {
      try RecordStore.run(
        work, in: transaction, of: environment, catalog: Catalog(evolution.unconstrained(evolution.result)),
        tables: newTables, history: history)
      try constrain(transaction)
    }
  }

  private func evolve(_ transaction: WriteTransaction) throws {
    let old = RecordSnapshot(transaction, catalog: evolution.oldCatalog, tables: oldTables)
    try check(evolution.work.checks.filter { !isLeftToWork($0) }, in: old)
    let catalog = step.didMigrate == nil ? newCatalog : try Catalog(evolution.unconstrained(evolution.after))
    let records = RecordTransaction(transaction, catalog: catalog, tables: newTables, author: nil)
    try buildLinks(of: records, from: old)
    if step.didMigrate == nil { try checkDestinations(records) }
    try rewriteRows(records)
    try removeContents(in: transaction)
    try takeContentsInside(records)
    try buildIndexes(evolution.work.indexBuilds, of: records)
    try records.finish()
    for table in oldTables.tables(missingIn: newTables) { try transaction.removeAll(in: table) }
    // Texts are read by other rules from here on.
    for table in oldTables.digests.compactMap({ $0 }) where try transaction.count(in: table) > 0 {
      try transaction.removeAll(in: table)
    }
    for entity in evolution.oldCatalog.entities where newCatalog[entity.id] == nil {
      try transaction.delete(MetaKey.rows(entity.id), in: newTables.meta)
    }
    try StoreFormat.write(evolution.result, to: newTables.meta, in: transaction)
  }

  // MARK: Conditions

  /// Looks at the rows as they are before.
  private func check(_ checks: [EvolutionWork.Check], in old: RecordSnapshot) throws {
    var differences: [SchemaDifference] = []
    for entity in evolution.oldCatalog.entities {
      let checks = checks.filter { $0.entity == entity.id }
      if !checks.isEmpty { differences += try failures(of: checks, entity: entity, in: old) }
    }
    if !differences.isEmpty { throw RecordError.schemaMismatch(differences) }
  }

  /// What is wrong with the first row that does not meet a condition, for each condition.
  private func failures(
    of checks: [EvolutionWork.Check], entity: Entity, in old: RecordSnapshot
  ) throws -> [SchemaDifference] {
    var found = [SchemaDifference?](repeating: nil, count: checks.count)
    try forEachRow(of: entity, in: old, step: .checking) { row, record in
      for (position, check) in checks.enumerated() where found[position] == nil {
        found[position] = failure(of: check, row: row, record: record)
      }
      return found.contains { $0 == nil } ? .continue : .stop
    }
    return found.compactMap { $0 }
  }

  private func failure(of check: EvolutionWork.Check, row: RowNumber, record: RecordView) -> SchemaDifference? {
    let entity = newCatalog[check.entity]?.name ?? ""
    switch check.condition {
    case .noRows:
      return .defaultMissing(entity: entity, attribute: check.attribute)
    case .noNull(let field):
      return record.isNull(field) ? .valueMissing(entity: entity, attribute: check.attribute, row: row) : nil
    case .exact(let field, let type):
      let value = record.value(field)
      if FieldConversion.convert(value, to: FieldKind(type)) != nil { return nil }
      return .valueNotExact(entity: entity, attribute: check.attribute, row: row, value: value.text, given: type)
    }
  }

  // MARK: Writing

  func buildIndexes(_ built: [IndexID], of records: RecordTransaction) throws {
    for index in records.catalog.indexes where built.contains(index.id) {
      guard let entity = newCatalog[index.entity] else { continue }
      let step = EvolutionProgress.Step.indexing(attributes: index.attributes.map(\.name))
      // Entries are put in order in memory, so many at a time.
      try inBatches(of: entity, in: records, step: step, rowsPerBatch: 1 << 18) { row, record in
        records.indexBuffers[index.slot].add(record, row: row, to: index)
      } afterBatch: {
        try records.settle(index)
      }
    }
  }

  private func rewriteRows(_ records: RecordTransaction) throws {
    for entity in newCatalog.entities where evolution.work.rewrites.contains(entity.id) {
      var rewritten: [(row: RowNumber, record: [UInt8])] = []
      try inBatches(of: entity, in: records, step: .rewriting, rowsPerBatch: 1 << 12) { row, record in
        rewritten.append((row, [UInt8](record.bytes)))
      } afterBatch: {
        for (row, record) in rewritten {
          try row.rawValue.withBytes { key in
            try record.withUnsafeBytes {
              try records.transaction.put($0, for: key, in: newTables.records[entity.slot])
            }
          }
        }
        rewritten.removeAll(keepingCapacity: true)
      }
    }
  }

  // MARK: Rows

  func forEachRow(
    of entity: Entity, in snapshot: RecordSnapshot, step: EvolutionProgress.Step,
    _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    var report = Report(step: step, entity: entity.name, rowCount: try snapshot.count(of: entity), send: progress)
    try snapshot.forEachRecord(of: entity) { row, record in
      report.countRow()
      return try body(row, record)
    }
  }

  /// Visits all rows in batches, after each of which it may be written: not while a cursor stands in the table.
  private func inBatches(
    of entity: Entity, in records: RecordTransaction, step: EvolutionProgress.Step, rowsPerBatch: Int,
    _ body: (RowNumber, RecordView) -> Void, afterBatch: () throws -> Void
  ) throws {
    var report = Report(step: step, entity: entity.name, rowCount: try records.count(of: entity), send: progress)
    var next: RowNumber? = RowNumber(rawValue: 0)
    while let first = next {
      next = nil
      var count = 0
      try records.forEachRecord(of: entity, from: first) { row, record in
        if count == rowsPerBatch {
          next = row
          return .stop
        }
        count += 1
        report.countRow()
        body(row, record)
        return .continue
      }
      try afterBatch()
    }
  }

  /// Counts rows, and reports every so many.
  private struct Report {
    let step: EvolutionProgress.Step
    let entity: String
    let rowCount: Int
    let send: @Sendable (EvolutionProgress) -> Void
    private var rowsDone = 0

    init(
      step: EvolutionProgress.Step, entity: String, rowCount: Int,
      send: @escaping @Sendable (EvolutionProgress) -> Void
    ) {
      self.step = step
      self.entity = entity
      self.rowCount = rowCount
      self.send = send
    }

    mutating func countRow() {
      rowsDone += 1
      guard rowsDone == rowCount || rowsDone % EvolutionProgress.rowsPerReport == 0 else { return }
      send(EvolutionProgress(step: step, entity: entity, rowsDone: rowsDone, rowCount: rowCount))
    }
  }
}

extension StoreTables {
  /// The tables that another catalog does not have.
  fileprivate func tables(missingIn other: StoreTables) -> [Table] {
    let kept = Set(other.all)
    return all.filter { !kept.contains($0) }
  }

  private var all: [Table] { records + indexes + (links + contents).compactMap { $0 } }
}
