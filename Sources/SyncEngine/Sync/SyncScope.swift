import Records

/// The part of an entity that a payload speaks about.
package struct SyncScope: Sendable {
  /// A row, and a to-one relationship by which the payload's rows lead to it.
  package struct Parent: Sendable {
    /// The name of the relationship.
    package var relationship: String
    package var row: RowNumber
    /// Whether the row's list of them gets the order of the payload.
    package var isOrdered: Bool

    package init(relationship: String, row: RowNumber, isOrdered: Bool = false) {
      self.relationship = relationship
      self.row = row
      self.isOrdered = isOrdered
    }
  }

  /// The row that all rows of the payload belong to. Rows of other parents are left alone, unless the payload lists one of
  /// them and identities are unique in the whole entity: then it is moved.
  package var parent: Parent?
  /// What is true of the rows that the payload would list if they existed on the other side: only these are deleted when it
  /// doesn't. Rows of the payload are matched by their identity whether it is true of them or not.
  package var condition: Condition
  /// The row that a single object is, whatever identity it has. It gets the identity that the object has, if there is one.
  package var row: RowNumber?

  /// Everything, unless it is said to be less.
  package init(parent: Parent? = nil, condition: Condition = .always, row: RowNumber? = nil) {
    self.parent = parent
    self.condition = condition
    self.row = row
  }
}

/// What becomes of stored rows that a collection doesn't list.
public enum MissingRows: Sendable, Hashable {
  /// They are deleted: the payload is the whole truth.
  case delete
  /// They stay: the payload is a part, such as one page of several.
  case keep
}
