import Records

/// What a save writes, as values: taken from the objects on their own actor, carried out on the writer's thread.
struct SavePlan: Sendable {
  /// A row at the far end of a relationship.
  enum Target {
    case row(RowNumber)
    /// The row that the plan's n-th insertion makes.
    case new(Int)

    var isNew: Bool {
      if case .new = self { true } else { false }
    }
  }

  /// An edited to-many relationship.
  enum MemberEdit {
    /// These and no others, in this order.
    case replacement([Target])
    /// What was added and removed. Members that other contexts have added or removed meanwhile stay so. `order` has all members
    /// as they should stand, where that is not what adding makes of it.
    case difference(added: [Target], removed: [RowNumber], order: [Target]?)

    /// Whether it can only be finished when the new rows are there.
    var leadsToNew: Bool {
      switch self {
      case .replacement(let targets): targets.contains(where: \.isNew)
      case .difference(let added, _, _): added.contains(where: \.isNew)
      }
    }
  }

  /// The edited values of one object.
  struct Values {
    var entity: Entity
    var fields: [(field: FieldIndex, value: FieldValue)] = []
    var destinations: [(relationship: Relationship, field: FieldIndex, target: Target?)] = []
    var members: [(relationship: Relationship, edit: MemberEdit)] = []
    /// Whether another new object becomes the same row, and this one has the last word.
    private(set) var isJoined = false

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
    var attributes: Values { Values(entity: entity, fields: fields) }
    /// The values without attributes.
    var links: Values { Values(entity: entity, destinations: destinations, members: members) }
  }

  private(set) var insertions: [Values] = []
  private(set) var updates: [(row: RowNumber, values: Values)] = []
  private(set) var deletions: [(row: RowNumber, entity: Entity)] = []

  /// - Throws: `ModelError`.
  init(of context: ModelContext) throws {
    let inserted = context.unsaved.inserted.objects
    var positions: [ObjectIdentifier: Int] = [:]
    for (position, model) in inserted.enumerated() { positions[ObjectIdentifier(model)] = position }
    let reader = EditReader(context: context, positions: positions)
    for model in inserted {
      insertions.append(try reader.values(of: model, context.core.binding(of: type(of: model))))
    }
    for model in context.unsaved.edited.objects {
      guard let row = model._$backing.storedRow else { continue }
      updates.append((row, try reader.values(of: model, context.core.binding(of: type(of: model)))))
    }
    for model in context.unsaved.deleted.objects {
      guard let row = model._$backing.storedRow else { continue }
      let binding = try context.core.binding(of: type(of: model))
      // Delete rules follow the links as the objects show them, so the edited ones are written first.
      if model._$backing.hasEdits { updates.append((row, try reader.values(of: model, binding))) }
      deletions.append((row, binding.entity))
    }
  }
}
