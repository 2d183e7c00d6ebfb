import KeyValueStore
import Records

/// Names a stored object, in whatever context it is.
public struct ManagedObjectID: Sendable, Hashable {
  /// The name of the object's entity.
  public let entityName: String
  let row: RowNumber
  /// The store that has the row; nil if that is not known.
  let store: StoreIdentifier?

  package init(entityName: String, row: RowNumber, store: StoreIdentifier? = nil) {
    self.entityName = entityName
    self.row = row
    self.store = store
  }

  /// Whether the object may be one of a store.
  func isOf(_ store: StoreIdentifier) -> Bool { self.store.map { $0 == store } ?? true }

  /// Whether the object has not been saved yet. It gets its lasting identifier when it is.
  public var isTemporaryID: Bool { row.rawValue >= ManagedObjectID.firstTemporary }

  /// No store comes to a row of this number.
  static let firstTemporary: UInt64 = 1 << 63
}

extension ManagedObjectID: CustomStringConvertible {
  /// The entity and the number of the row.
  public var description: String {
    isTemporaryID
      ? "\(entityName)/t\(row.rawValue - ManagedObjectID.firstTemporary)" : "\(entityName)/p\(row.rawValue)"
  }
}
