import Records
import SyncEngine

/// The rows of one entity that were changed here and not pushed yet.
struct ObjectDirtyRows {
  fileprivate var rows: Set<RowNumber> = []
  /// The identities that are gone: of deleted rows, and those in whose place rows were given others.
  fileprivate var deleted: Set<FieldValue> = []

  fileprivate init(of entity: Entity, in snapshot: RecordSnapshot) throws {
    guard entity.isOfflineEnabled else { return }
    try snapshot.forEachPushEntry(of: entity) { entry in
      if let identity = try entry.deletedIdentity ?? snapshot.formerIdentity(of: entry, entity) {
        deleted.insert(identity)
      }
      if !entry.isDeleted { rows.insert(entry.row) }
      return .continue
    }
  }
}

/// Leaving dirty objects alone (contract, 13.6, with B-19 and B-28), in graphs with hand-written models in them. Values are not
/// compared there, because it is code of the application that says what a payload means: so nothing is merged, and no conflict told.
extension ObjectPass {
  /// Whether a stored object was changed here and not pushed yet, so that it stays as it is.
  func isDirty(_ model: some PersistentModel) throws -> Bool {
    guard let row = model._$backing.storedRow, let entity = model._$backing.binding?.entity else { return false }
    return try dirtyRows(of: entity).rows.contains(row)
  }

  /// Whether rows would go with a stored object, by a cascade, that were changed here and not pushed yet.
  func hasDirtyRows(below model: some PersistentModel) throws -> Bool {
    guard let row = model._$backing.storedRow, let entity = model._$backing.binding?.entity else { return false }
    return try context.read { try !$0.dirtyRows(below: row, of: entity).isEmpty }
  }

  /// Whether a row with an identity was deleted here and not pushed yet, so that none is made.
  func wasDeletedHere<Model: SyncModelable>(_ identity: Model.SyncID, _ type: Model.Type) throws -> Bool {
    guard let entity = try? context.core.binding(of: type).entity, entity.isOfflineEnabled,
      let field = directory(type).field(of: identity)
    else { return false }
    return try dirtyRows(of: entity).deleted.contains(field)
  }

  private func dirtyRows(of entity: Entity) throws -> ObjectDirtyRows {
    if let known = dirtyRows[entity.id] { return known }
    let rows = try context.read { try ObjectDirtyRows(of: entity, in: $0) }
    dirtyRows[entity.id] = rows
    return rows
  }
}
