import Records

/// Names a stored object, in whatever context it is.
public struct ManagedObjectID: Sendable, Hashable {
  /// The name of the object's entity.
  public let entityName: String
  let row: RowNumber

  package init(entityName: String, row: RowNumber) {
    self.entityName = entityName
    self.row = row
  }

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
