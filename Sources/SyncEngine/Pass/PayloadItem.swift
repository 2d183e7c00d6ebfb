/// One object of the payload that is a row, or says something about one.
struct PayloadItem {
  /// The object's node.
  let node: Int
  /// The position of the payload row that it is or belongs to.
  let row: Int
  /// The identity's node; 0 for a nested object that means the row which its owner is linked to already.
  let identityNode: Int
  let isNested: Bool
  /// Whether it only shows that its row exists, because the object around it is left alone.
  var isOnlyShown = false
  /// The slot of its row in the identity map of its entity.
  let slot: Int

  /// Whether its attributes are written.
  var appliesAttributes = false
  /// What it says about relationships: a range of its batch's links.
  var links = 0..<0
}

/// What one object says about one relationship.
struct PayloadLink {
  enum Kind {
    /// Null: no links.
    case clear
    /// Identities of rows.
    case references
    /// Nested objects.
    case objects
  }

  /// The position of the relationship in the plan.
  let relationship: Int
  let kind: Kind
  /// Whether what it leaves out stays linked.
  var isAddition = false
  /// Whether rows that it leaves out, and that have no other owner, are deleted.
  var deletesOrphans = false
  /// The node of the value.
  let node: Int
  /// What it is to lead to: a range of its batch's targets.
  let targets: Range<Int>
}
