import Records

/// What a save writes, as values: taken from the objects on their own actor, carried out on the writer's thread.
package struct SavePlan: Sendable {
  /// A row at the far end of a relationship.
  package enum Target: Sendable {
    case row(RowNumber)
    /// The row that the plan's n-th insertion makes.
    case new(Int)

    package var isNew: Bool {
      if case .new = self { true } else { false }
    }
  }

  /// An edited to-many relationship.
  package enum MemberEdit: Sendable {
    /// These and no others, in this order.
    case replacement([Target])
    /// What was added and removed. Members that other contexts have added or removed meanwhile stay so. `order` has all members
    /// as they should stand, where that is not what adding makes of it.
    case difference(added: [Target], removed: [RowNumber], order: [Target]?)

    /// Whether it can only be finished when the new rows are there.
    package var leadsToNew: Bool {
      switch self {
      case .replacement(let targets): targets.contains(where: \.isNew)
      case .difference(let added, _, _): added.contains(where: \.isNew)
      }
    }
  }

  /// The edited values of one object.
  package struct Values: Sendable {
    package var entity: Entity
    package var fields: [(field: FieldIndex, value: FieldValue)] = []
    package var destinations: [(relationship: Relationship, field: FieldIndex, target: Target?)] = []
    package var members: [(relationship: Relationship, edit: MemberEdit)] = []
    /// Whether another new object becomes the same row, and this one has the last word.
    private(set) var isJoined = false

    package init(entity: Entity) {
      self.entity = entity
    }

    /// Takes over the members of another new object that becomes the same row.
    mutating func addMembers(of earlier: Values) {
      isJoined = true
      for (position, (relationship, edit)) in members.enumerated() {
        guard case .replacement(let own) = edit,
          case .replacement(let others)? = earlier.members.first(where: { $0.relationship === relationship })?.edit
        else { continue }
        members[position].edit = .replacement(others + own)
      }
    }

    /// The values without links.
    var attributes: Values {
      var result = Values(entity: entity)
      result.fields = fields
      return result
    }
    /// The values without attributes.
    package var links: Values {
      var result = Values(entity: entity)
      result.destinations = destinations
      result.members = members
      return result
    }
  }

  /// New rows. Their positions are what `Target.new` says.
  package var insertions: [Values] = []
  package var updates: [(row: RowNumber, values: Values)] = []
  package var deletions: [(row: RowNumber, entity: Entity)] = []

  /// A plan to do nothing.
  package init() {}
}

/// A value that is to be saved does not fit its attribute.
package struct UnencodableValue: Error {
  package let entity: String
  package let attribute: String
  package let value: String
}
