import Foundation
import Records

/// What local transactions of the history come to, for each identity: one insertion, update or deletion, or nothing.
///
/// Unlike what is pending it knows nothing of what a server has answered for; it begins where it is told to.
struct HistoryReduction {
  private struct Change {
    let beganByInsertion: Bool
    var isThere: Bool
  }

  private let entity: Entity
  private var order: [FieldValue] = []
  private var changes: [FieldValue: Change] = [:]

  /// - Throws: `RecordError.historyExpired`, `.unknownHistoryToken`, `.historyNotKept`, and for damage.
  init(of model: OfflineModel, after token: Records.HistoryToken?, in snapshot: RecordSnapshot) throws {
    entity = model.entity
    let identities = try Identities(of: model, after: token, in: snapshot)
    try snapshot.forEachTransaction(after: token) { transaction in
      guard transaction.author != InboundAuthor.name,
        let rows = transaction.changes(snapshot.catalog).entities[entity.id]
      else { return .continue }
      for row in rows.inserted {
        note(try identities.identity(of: row, in: snapshot), isInsertion: true, isThere: true)
      }
      for (row, properties) in rows.updated.sorted(by: { $0.key < $1.key })
      where snapshot.catalog.told(properties, of: entity) != nil {
        note(try identities.identity(of: row, in: snapshot), isInsertion: false, isThere: true)
      }
      for row in rows.deleted {
        note(try identities.identity(of: row, in: snapshot), isInsertion: false, isThere: false)
      }
      return .continue
    }
  }

  private mutating func note(_ identity: FieldValue?, isInsertion: Bool, isThere: Bool) {
    guard let identity, identity != .null else { return }
    if changes[identity] == nil {
      order.append(identity)
      changes[identity] = Change(beganByInsertion: isInsertion, isThere: isThere)
    } else {
      changes[identity]?.isThere = isThere
    }
  }

  var rows: [(identity: FieldValue, kind: SyncChangeKind)] {
    order.compactMap { identity in
      guard let change = changes[identity] else { return nil }
      switch (change.beganByInsertion, change.isThere) {
      case (true, true): return (identity, .insert)
      case (true, false): return nil
      case (false, true): return (identity, .update)
      case (false, false): return (identity, .delete)
      }
    }
  }
}

/// The identities of rows: of those that are there what they have, of others what is left of them.
private struct Identities {
  private let entity: Entity
  private let field: FieldIndex
  private var deleted: [RowNumber: FieldValue] = [:]

  init(of model: OfflineModel, after token: Records.HistoryToken?, in snapshot: RecordSnapshot) throws {
    entity = model.entity
    field = model.identity.field
    let property = model.identity.propertyIndex
    try snapshot.forEachTransaction(after: token) { transaction in
      guard let rows = transaction.changes(snapshot.catalog).entities[model.entity.id] else { return .continue }
      for (position, row) in rows.deleted.enumerated() {
        deleted[row] = rows.tombstones.value(of: property, at: position)
      }
      return .continue
    }
  }

  func identity(of row: RowNumber, in snapshot: RecordSnapshot) throws -> FieldValue? {
    try deleted[row] ?? snapshot.withRecord(row, of: entity) { $0.value(field) }
  }
}

extension SwiftSync {
  /// What others than syncs have done to the rows of a model behind a token of the history, whether a server has answered for it or not.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - context: a context of the store.
  ///   - token: the last transaction that doesn't count; nil begins with the oldest one that is kept.
  /// - Returns: one insertion, update or deletion for each identity, in the order in which the rows were first changed.
  /// - Throws: `HistoryError` for a token of another store, or behind which not everything is known; `SyncError.schemaValidation` if the
  ///   model is not enabled for offline push; `RecordError` for damage.
  /// - Complexity: O(transactions behind the token).
  public static func pendingChanges<Model: SyncUpdatableModel>(
    for model: Model.Type, in context: ModelContext, since token: DefaultHistoryToken?
  ) throws -> SyncPendingChanges where Model.SyncID == String {
    let offline = try OfflineModel(model, in: context.core)
    if let token, token.storeIdentifier != context.core.storeIdentifier { throw HistoryError.foreignToken(token) }
    let rows = try HistoryError.translating(context.core.storeIdentifier) {
      try context.core.store.read { try HistoryReduction(of: offline, after: token?.token, in: $0).rows }
    }
    return SyncPendingChanges(
      rows.compactMap { row in
        (PreservedValue.read(row.identity, as: String.self) as? String).map { (id: $0, kind: row.kind) }
      })
  }
}
