import Contexts
import Records

/// Reads edited values off objects.
struct EditReader {
  let context: ModelContext
  /// The positions of new objects among the plan's insertions.
  let positions: [ObjectIdentifier: Int]

  func values(of model: any PersistentModel, _ binding: ModelBinding) throws -> SavePlan.Values {
    var values = SavePlan.Values(entity: binding.entity)
    let backing = model._$backing
    // A new object writes everything it has: it may turn out to be a row that is there already.
    let isNew = backing.state == .inserted
    let isDeleted = backing.state == .deleted
    for property in binding.table.properties where isNew || backing.isEdited(property.slot) {
      let content = backing.content(of: property.slot)
      let field = binding.field(of: property.slot)
      if let attribute = property.attribute, let field {
        if !isDeleted { values.fields.append((field, try encode(content, attribute, property, binding))) }
      } else if let relationship = binding.relationship(of: property.slot) {
        if let field {
          let target = try destination(content, of: backing, property, binding)
          values.destinations.append((relationship, field, target))
        } else if case .toMany(let membership) = content, !isNew || backing.isEdited(property.slot) {
          values.members.append((relationship, try edit(membership, isNew: isNew)))
        }
      }
    }
    return values
  }

  private func encode(
    _ content: SlotContent, _ attribute: AttributeTrait, _ property: ModelProperty, _ binding: ModelBinding
  ) throws -> FieldValue {
    switch content {
    case .attribute(let field):
      return field
    case .composite(let value):
      do {
        return try attribute.encode?(value) ?? .null
      } catch {
        throw ModelError.unencodableValue(
          entity: binding.table.name, attribute: property.name, reason: "\(error)")
      }
    case .absent, .toOne, .toMany:
      return .null
    }
  }

  private func destination(
    _ content: SlotContent, of backing: ModelBacking, _ property: ModelProperty, _ binding: ModelBinding
  ) throws -> SavePlan.Target? {
    if case .toOne(let related?) = content, let found = try target(related) { return found }
    // Nobody can assign nil to a relationship that must lead to an object. Where a stored object shows nil, it was taken out
    // of the other direction, and the store judges that with the row's number.
    let isTakenOut = if case .toOne(nil) = content { backing.state != .inserted } else { false }
    if property.relationship?.isOptional == false, backing.state != .deleted, !isTakenOut {
      throw ModelError.missingDestination(entity: binding.table.name, relationship: property.name)
    }
    return nil
  }

  private func edit(_ membership: Membership, isNew: Bool) throws -> SavePlan.MemberEdit {
    if isNew { return .replacement(try targets(membership.objects)) }
    let added = membership.changes.added.objects
    let isInOrder = !membership.isReordered && isWrittenInOrder(added)
    return .difference(
      added: try targets(added),
      // What has no row was never stored as a member.
      removed: membership.changes.removed.objects.compactMap { $0._$backing.storedRow },
      order: isInOrder ? nil : try targets(membership.objects))
  }

  /// Whether the save comes to some objects in just this order. A member that points back at its owner becomes a member when its own
  /// values are written: first those of stored objects, as they were edited, and then those of new ones.
  private func isWrittenInOrder(_ members: [any PersistentModel]) -> Bool {
    var last = (isNew: false, position: -1)
    for member in members {
      let position = positions[ObjectIdentifier(member)]
      guard let place = position ?? context.unsaved.edited.position(of: member) else { continue }
      let next = (isNew: position != nil, position: place)
      if last.isNew != next.isNew ? last.isNew : last.position > next.position { return false }
      last = next
    }
    return true
  }

  private func targets(_ related: [any PersistentModel]) throws -> [SavePlan.Target] {
    try related.compactMap { try target($0) }
  }

  /// The row of a related object, also of one that will be deleted; nil for one that is.
  private func target(_ related: any PersistentModel) throws -> SavePlan.Target? {
    let backing = related._$backing
    let isOwn = related.persistentModelID.storeIdentifier == context.core.storeIdentifier
    switch backing.state {
    case .gone:
      return nil
    case .stored where isOwn, .deleted where isOwn:
      return backing.storedRow.map { .row($0) }
    case .inserted, .unmanaged, .stored, .deleted:
      if let position = positions[ObjectIdentifier(related)] { return .new(position) }
      throw ModelError.foreignObject(
        entity: type(of: related).modelTable.name, identifier: "\(related.persistentModelID)")
    }
  }
}
