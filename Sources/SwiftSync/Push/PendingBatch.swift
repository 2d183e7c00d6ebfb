import Foundation
import Records

/// What was pending of a model at one moment, to be sent and settled.
struct PendingBatch: Sendable {
  let model: OfflineModel
  /// The last transaction that was to be seen.
  let token: Records.HistoryToken
  /// Those that wait in the inbox left out.
  let rows: [PendingRow]

  /// - Throws: `HistoryError.notKept`; `RecordError` for damage.
  init(of model: OfflineModel, in snapshot: RecordSnapshot) throws {
    guard try snapshot.isHistoryKept() else { throw HistoryError.notKept }
    self.model = model
    token = try snapshot.lastHistoryToken()
    rows = try snapshot.pendingRows(of: model.entity).filter { !$0.isParked }
      .map { try snapshot.reading($0, of: model.entity) }
  }

  /// The changes as they are handed out, with identities of a type. Those that the type has no form for are left out.
  func changes<ID: Hashable & Sendable>(_ id: (FieldValue) -> ID?) -> [SyncPendingChange<ID>] {
    rows.compactMap { change(of: $0, id) }
  }

  /// Nil if the type has no form for the identity.
  func change<ID: Hashable & Sendable>(of row: PendingRow, _ id: (FieldValue) -> ID?) -> SyncPendingChange<ID>? {
    guard let identity = id(row.identity) else { return nil }
    return SyncPendingChange(
      id: identity, kind: row.kind, previousID: row.formerIdentity.flatMap(id),
      changedProperties: model.binding.names(of: row.changed(of: model.entity, in: model.core.store.catalog)),
      idempotencyKey: row.idempotencyKey(model.entity, in: model.core.storeIdentifier))
  }
}

extension OfflineModel {
  /// What is pending. Without a row being read if nothing is.
  func pending() throws -> PendingBatch {
    try core.store.read { try PendingBatch(of: self, in: $0) }
  }

  /// The identities of what is pending.
  func pendingIdentities<ID: Hashable & Sendable>(_ type: ID.Type) throws -> [(id: ID, kind: SyncChangeKind)] {
    let rows = try core.store.read { snapshot in
      guard try snapshot.isHistoryKept() else { throw HistoryError.notKept }
      return try snapshot.pendingRows(of: entity)
    }
    return rows.compactMap { row in
      if row.isParked { return nil }
      return (PreservedValue.read(row.identity, as: type) as? ID).map { ($0, row.kind) }
    }
  }
}

extension ModelBinding {
  /// The names of properties, in the order of their declaration.
  func names(of properties: PropertySet) -> [String] {
    table.properties.filter { property in propertyIndex(of: property).map(properties.contains) ?? false }.map(\.name)
  }
}
