import KeyValueStore

/// What a stage's `didMigrate` may still bring about: it sees rows without values that they must have, and several of one value
/// that must be unique. What is judged is the state in which it leaves them.
extension EvolutionRun {
  /// Whether the rows are looked at after the stage's work, which may do what the condition asks for. A value that is none of
  /// the new type could not even be shown to it.
  func isLeftToWork(_ check: EvolutionWork.Check) -> Bool {
    if case .exact = check.condition { return false }
    return step.didMigrate != nil
  }

  /// Judges what was left to the stage's work, when that is done.
  func constrain(_ transaction: WriteTransaction) throws {
    let catalog = try Catalog(evolution.result)
    let records = RecordTransaction(transaction, catalog: catalog, tables: newTables, author: nil)
    try checkValues(records)
    try checkDestinations(records)
    let built = catalog.indexes.filter { $0.isUnique && evolution.work.indexBuilds.contains($0.id) }
    for index in built { try transaction.removeAll(in: newTables.indexes[index.slot]) }
    try buildIndexes(built.map(\.id), of: records)
    try records.finish()
  }

  /// Every row has the values that it must have now.
  private func checkValues(_ records: RecordTransaction) throws {
    var differences: [SchemaDifference] = []
    for entity in records.catalog.entities {
      let checks = evolution.work.checks.filter { $0.entity == entity.id && isLeftToWork($0) }
      var missing = checks.compactMap { entity.attribute(named: $0.attribute) }
      if missing.isEmpty { continue }
      try forEachRow(of: entity, in: records, step: .checking) { row, record in
        missing.removeAll { attribute in
          guard record.isNull(attribute.field) else { return false }
          differences.append(.valueMissing(entity: entity.name, attribute: attribute.name, row: row))
          return true
        }
        return missing.isEmpty ? .stop : .continue
      }
    }
    if !differences.isEmpty { throw RecordError.schemaMismatch(differences) }
  }

  /// Every row has a destination in the directions that need one now.
  func checkDestinations(_ records: RecordTransaction) throws {
    var differences: [SchemaDifference] = []
    for direction in newCatalog.directions where evolution.work.requiredDirections.contains(direction.id) {
      guard let field = direction.field else { continue }
      let entity = newCatalog.entities[direction.entitySlot]
      try forEachRow(of: entity, in: records, step: .checking) { row, record in
        guard record.isNull(field) else { return .continue }
        differences.append(
          .destinationMissing(entity: entity.name, relationship: propertyName(of: direction), row: row))
        return .stop
      }
    }
    if !differences.isEmpty { throw RecordError.schemaMismatch(differences) }
  }
}

extension CatalogEvolution {
  /// A catalog of the evolution in which unique constraints that are new do not hold yet: their indexes are plain ones.
  func unconstrained(_ document: CatalogDocument) -> CatalogDocument {
    var document = document
    for entity in document.entities.indices {
      for index in document.entities[entity].indexes.indices
      where work.indexBuilds.contains(IndexID(rawValue: document.entities[entity].indexes[index].id)) {
        document.entities[entity].indexes[index].isUnique = false
      }
    }
    return document
  }
}
