import KeyValueStore
import Records

/// Bringing registered objects up to date with the store.
extension ModelContext {
  /// Takes over what a commit has changed, in objects that have no edits of their own.
  func refresh(_ changes: ChangeSet) {
    guard !changes.isEmpty else { return }
    graph.reading {
      try core.store.read { refresh(changes, from: $0) }
    }
  }

  /// An object whose row cannot be read stays as it is, and is in nobody else's way.
  private func refresh(_ changes: ChangeSet, from snapshot: RecordSnapshot) {
    for (entity, changed) in changes.entities {
      guard let binding = core.binding(of: entity) else { continue }
      for row in changed.deleted { retire(row, entity) }
      for (row, properties) in changed.updated {
        guard let model = graph.registered[row, entity], model._$backing.state == .stored, !model._$backing.hasEdits
        else { continue }
        graph.reading {
          try snapshot.withRecord(row, of: binding.entity) { try update(model, from: $0, row, binding) }
        }
        binding.notifyRelationships(in: properties, of: model)
      }
    }
  }

  /// Replaces the values of an object without edits by those of its row, and tells observers which differ.
  func update(_ model: any PersistentModel, from record: RecordView, _ row: RowNumber, _ binding: ModelBinding) throws {
    let backing = model._$backing
    guard backing.state == .stored, !backing.hasEdits else { return }
    guard let old = backing.record, !old.isCopy(of: record) else { return }
    try binding.check(record, of: row)
    let changed = binding.fieldsThatDiffer(old, record)
    backing.record = Record(record)
    if !touched.contains(model) { backing.slots = [] }
    for property in changed { property.notify(model) }
  }

  /// The row of a registered object is gone.
  func retire(_ row: RowNumber, _ entity: EntityID) {
    guard let model = graph.registered[row, entity] else { return }
    model._$backing.state = .gone
    edited.remove(model)
    deleted.remove(model)
    touched.remove(model)
    graph.registered[row, entity] = nil
    for property in type(of: model).modelTable.properties { property.notify(model) }
  }
}
