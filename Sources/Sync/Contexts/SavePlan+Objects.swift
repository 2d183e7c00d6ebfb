import Contexts
import Records

extension SavePlan {
  /// What a context would save.
  ///
  /// - Throws: `ValidationError`.
  init(of context: ManagedObjectContext) throws {
    self.init()
    let inserted = context.unsaved.inserted.objects
    var positions: [ManagedObject: Int] = [:]
    for (position, object) in inserted.enumerated() { positions[object] = position }
    let reader = ObjectReader(positions: positions)
    for object in inserted {
      try object.validate()
      if let values = reader.values(of: object) { insertions.append(values) }
    }
    for object in context.unsaved.updated.objects {
      try object.validate()
      if let row = object.storedRow, let values = reader.values(of: object) { updates.append((row, values)) }
    }
    for object in context.unsaved.deleted.objects {
      guard let row = object.storedRow, let table = object.binding.table else { continue }
      // Delete rules follow the links as the objects show them, so the edited ones are written first.
      if object.hasEdits, let values = reader.values(of: object) { updates.append((row, values.links)) }
      deletions.append((row, table))
    }
  }
}

/// Reads edited values off objects.
private struct ObjectReader {
  /// The positions of new objects among the plan's insertions.
  let positions: [ManagedObject: Int]

  func values(of object: ManagedObject) -> SavePlan.Values? {
    guard let table = object.binding.table else { return nil }
    var values = SavePlan.Values(entity: table)
    // A new object may turn out to be a row that is there already, which keeps what the object says nothing of.
    let isNew = object.state == .inserted
    for (position, place) in object.binding.attributes.enumerated() {
      guard let field = place.field else { continue }
      if let value = object.values[position] { values.fields.append((field, value)) }
    }
    if isNew, let field = object.binding.entityField { values.fields.append((field, .string(object.entity.name))) }
    for (position, place) in object.binding.relationships.enumerated() {
      guard let stored = place.stored else { continue }
      if let field = stored.field {
        guard object.destinations[position] != nil else { continue }
        let destination = object.destinations[position] ?? nil
        values.destinations.append((stored, field, destination.flatMap(target)))
      } else if object.memberships[position] != nil {
        values.members.append((stored, edit(at: position, of: object, place.description, isNew: isNew)))
      }
    }
    return values
  }

  private func edit(
    at position: Int, of object: ManagedObject, _ relationship: RelationshipDescription, isNew: Bool
  ) -> SavePlan.MemberEdit {
    guard !isNew, let membership = object.memberships[position] else {
      return .replacement(object.linkedMembers(at: position).compactMap(target))
    }
    let added = membership.added.objects
    // Members that point back become members when their own values are written, in whatever order that is.
    let isInOrder = membership.order == nil && !(relationship.isOrdered && added.count > 1)
    return .difference(
      added: added.compactMap(target), removed: membership.removed.objects.compactMap(\.storedRow),
      order: isInOrder ? nil : object.linkedMembers(at: position).compactMap(target))
  }

  /// The row of a related object, also of one that will be deleted; nil for one that is.
  private func target(_ object: ManagedObject) -> SavePlan.Target? {
    if let row = object.storedRow { return .row(row) }
    return positions[object].map { .new($0) }
  }
}
