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
}

extension ManagedObjectID: CustomStringConvertible {
  /// The entity and the number of the row.
  public var description: String { "\(entityName)/p\(row.rawValue)" }
}
