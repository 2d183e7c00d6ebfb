import Foundation
import Records

extension ModelContext {
  /// Posted before a save writes, with the context as its object. Observers may still edit: the save writes that too.
  public static let willSave = Notification.Name("ModelContext.willSave")
  /// Posted after a save has written, with the context as its object and the identifiers of everything that its transaction has
  /// changed in the user info, delete rules and inverse relationships included.
  ///
  /// The identifiers are arrays of `PersistentIdentifier`, under the raw values of `NotificationKey` and under the plain words
  /// `"inserted"`, `"updated"` and `"deleted"`. A new object is listed with its lasting identifier; one that became a stored
  /// row, because they had a unique value in common, is listed as updated.
  public static let didSave = Notification.Name("ModelContext.didSave")

  /// The keys of `didSave`.
  public enum NotificationKey: String, Sendable {
    /// The rows that were created.
    case insertedIdentifiers
    /// The rows that existed before and were written.
    case updatedIdentifiers
    /// The rows that are gone.
    case deletedIdentifiers
  }

  func postWillSave() {
    NotificationCenter.default.post(name: Self.willSave, object: self)
  }

  func postDidSave(_ changes: ChangeSet) {
    var inserted: [PersistentIdentifier] = []
    var updated: [PersistentIdentifier] = []
    var deleted: [PersistentIdentifier] = []
    for (entity, changes) in changes.entities.sorted(by: { $0.key < $1.key }) {
      guard let name = core.store.catalog[entity]?.name else { continue }
      let identifier = { PersistentIdentifier(entityName: name, storeIdentifier: self.core.storeIdentifier, row: $0) }
      inserted += changes.inserted.map(identifier)
      updated += changes.updated.keys.sorted().map(identifier)
      deleted += changes.deleted.map(identifier)
    }
    let userInfo: [String: [PersistentIdentifier]] = [
      NotificationKey.insertedIdentifiers.rawValue: inserted, "inserted": inserted,
      NotificationKey.updatedIdentifiers.rawValue: updated, "updated": updated,
      NotificationKey.deletedIdentifiers.rawValue: deleted, "deleted": deleted,
    ]
    NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: userInfo)
  }
}
