import Records

/// A transaction as it was kept, with what turns it into changes of model classes.
struct HistoryContent: Sendable {
  let transaction: Records.HistoryTransaction
  let models: HistoryModels

  var changes: [HistoryChange] {
    var result: [HistoryChange] = []
    for (entity, changes) in transaction.changes(models.catalog).entities.sorted(by: { $0.key < $1.key }) {
      guard let binding = models.binding(of: entity) else { continue }
      append(changes, of: binding.table.type, binding, to: &result)
    }
    return result
  }

  private func append<Model: PersistentModel>(
    _ changes: ChangeSet.EntityChanges, of type: Model.Type, _ binding: ModelBinding, to result: inout [HistoryChange]
  ) {
    let number = Int64(clamping: transaction.token.rawValue)
    func identifier(_ row: RowNumber) -> PersistentIdentifier {
      PersistentIdentifier(entityName: binding.table.name, storeIdentifier: models.storeIdentifier, row: row)
    }
    for row in changes.inserted {
      result.append(
        .insert(
          DefaultHistoryInsert<Model>(
            transactionIdentifier: number, changeIdentifier: Int64(result.count),
            changedPersistentIdentifier: identifier(row))))
    }
    let properties = HistoryProperties(binding)
    for (row, numbers) in changes.updated.sorted(by: { $0.key < $1.key }) {
      result.append(
        .update(
          DefaultHistoryUpdate<Model>(
            transactionIdentifier: number, changeIdentifier: Int64(result.count),
            changedPersistentIdentifier: identifier(row), properties: properties.changed(numbers))))
    }
    for (position, row) in changes.deleted.enumerated() {
      result.append(
        .delete(
          DefaultHistoryDelete<Model>(
            transactionIdentifier: number, changeIdentifier: Int64(result.count),
            changedPersistentIdentifier: identifier(row),
            tombstone: HistoryTombstone(properties.preserved(changes.tombstones, at: position)))))
    }
  }
}

/// The model classes of a store's entities. It does not keep the store open.
struct HistoryModels: Sendable {
  let storeIdentifier: String
  let catalog: Catalog
  private let bindings: [EntityID: ModelBinding]

  init(_ core: ContainerCore) throws {
    storeIdentifier = core.storeIdentifier
    catalog = core.store.catalog
    let known = try core.schema.modelTypes.map { try core.binding(of: $0) }
    bindings = Dictionary(uniqueKeysWithValues: known.map { ($0.entity.id, $0) })
  }

  func binding(of entity: EntityID) -> ModelBinding? { bindings[entity] }
}
