import Foundation
import Records

/// Reading relationships, and changing them so that both directions agree from the moment of the change.
///
/// Objects that are to be deleted are not shown. They keep their links, because the deletion may be taken back, and because its rules
/// follow links.
extension ManagedObject {
  /// The object that a to-one relationship leads to; nil if there is none.
  /// - Throws: `ManagedObjectError.unknownProperty`, `.wrongCardinality`, `.missingContext`.
  public final func object(_ relationship: String) throws -> ManagedObject? {
    let position = try position(of: relationship, isToMany: false)
    observers.noteAccess(.relationship(position), of: self)
    return destination(at: position)
  }

  /// The objects that a to-many relationship leads to, in their order if it is ordered.
  /// - Throws: `ManagedObjectError.unknownProperty`, `.wrongCardinality`, `.missingContext`.
  public final func objects(_ relationship: String) throws -> [ManagedObject] {
    let position = try position(of: relationship, isToMany: true)
    observers.noteAccess(.relationship(position), of: self)
    return members(at: position)
  }

  /// Makes an object a member of a to-many relationship: at an index of an ordered one, else behind the others.
  /// - Throws: `ManagedObjectError`. Nothing has changed then.
  public final func add(_ member: ManagedObject, to relationship: String, at index: Int? = nil) throws {
    let position = try position(of: relationship, isToMany: true)
    try checkLink(to: [member], at: position)
    var members = linkedMembers(at: position)
    let isKnown = members.contains(member)
    if isKnown, index == nil { return }
    members.removeAll { $0 === member }
    members.insert(member, at: index.map { min(max($0, 0), members.count) } ?? members.count)
    setMembers(at: position, to: members)
  }

  /// Takes an object out of a to-many relationship.
  /// - Throws: `ManagedObjectError`. Nothing has changed then.
  public final func remove(_ member: ManagedObject, from relationship: String) throws {
    let position = try position(of: relationship, isToMany: true)
    try checkLink(to: [], at: position)
    setMembers(at: position, to: linkedMembers(at: position).filter { $0 !== member })
  }

  // MARK: Any relationship

  /// The object or objects at the far end.
  final func related(at position: Int) -> Any? {
    binding.relationships[position].description.isToMany ? members(at: position) : destination(at: position)
  }

  final func setRelated(_ value: Any?, at position: Int) throws {
    let description = binding.relationships[position].description
    let objects: [ManagedObject]?
    switch value {
    case nil, is NSNull: objects = []
    case let object as ManagedObject: objects = description.isToMany ? nil : [object]
    case let list as [ManagedObject]: objects = description.isToMany ? list : nil
    case let set as Set<ManagedObject>: objects = description.isToMany ? set.sorted { $0.row < $1.row } : nil
    default:
      throw ManagedObjectError.wrongDestination(
        entity: entity.name, relationship: description.name, destination: description.destination,
        value: "\(value ?? "")")
    }
    guard let objects else {
      throw ManagedObjectError.wrongCardinality(entity: entity.name, relationship: description.name)
    }
    try checkLink(to: objects, at: position)
    if description.isToMany {
      setMembers(at: position, to: ObjectSet(objects).objects)
    } else {
      setDestination(at: position, to: objects.first)
    }
  }

  private func position(of relationship: String, isToMany: Bool) throws(ManagedObjectError) -> Int {
    guard case .relationship(let position) = try binding.property(relationship) else {
      throw .unknownProperty(entity: entity.name, property: relationship)
    }
    guard binding.relationships[position].description.isToMany == isToMany else {
      throw .wrongCardinality(entity: entity.name, relationship: relationship)
    }
    try checkContext()
    return position
  }

  /// Objects find each other by their context, and without it a relationship would seem to lead nowhere.
  final func checkContext() throws(ManagedObjectError) {
    if managedObjectContext == nil { throw .missingContext(entity: entity.name) }
  }

  private func checkLink(to objects: [ManagedObject], at position: Int) throws(ManagedObjectError) {
    let description = binding.relationships[position].description
    guard isPresent else { throw .deletedObject(entity: entity.name, property: description.name) }
    for object in objects {
      guard object.entity.isKind(of: description.destination) else {
        throw .wrongDestination(
          entity: entity.name, relationship: description.name, destination: description.destination,
          value: "\(object)")
      }
      guard object.managedObjectContext === managedObjectContext else {
        throw .foreignObject(entity: entity.name, relationship: description.name)
      }
      guard object.isPresent else {
        throw .deletedDestination(entity: entity.name, relationship: description.name)
      }
    }
  }

  // MARK: Reading

  final func destination(at position: Int) -> ManagedObject? {
    linkedDestination(at: position).flatMap { $0.isPresent ? $0 : nil }
  }

  final func members(at position: Int) -> [ManagedObject] {
    linkedMembers(at: position).filter(\.isPresent)
  }

  /// The object at the far end, deleted ones included.
  final func linkedDestination(at position: Int) -> ManagedObject? {
    destinations[position] ?? storedDestination(at: position)
  }

  final func storedDestination(at position: Int) -> ManagedObject? {
    guard let stored = binding.relationships[position].stored, let field = stored.field, let record,
      let row = record.withView({ $0.row(field) })
    else { return nil }
    return managedObjectContext?.linkedObject(row, in: stored.destination)
  }

  /// The members, deleted ones included.
  final func linkedMembers(at position: Int) -> [ManagedObject] {
    guard let membership = memberships[position] else { return storedMembers(at: position) }
    if let known = membership.known { return known }
    let members = membership.members(storedMembers(at: position))
    memberships[position]?.known = members
    return members
  }

  final func storedMembers(at position: Int) -> [ManagedObject] {
    guard let row = storedRow, let stored = binding.relationships[position].stored else { return [] }
    return managedObjectContext?.linkedObjects(stored, of: row) ?? []
  }

  /// What was put together from stored members is out of date.
  final func forgetReadMembers() {
    for position in memberships.keys { memberships[position]?.known = nil }
  }

  // MARK: Changing

  final func setDestination(at position: Int, to object: ManagedObject?) {
    let place = binding.relationships[position]
    let previous = linkedDestination(at: position)
    edit(position) { destinations.updateValue(object, forKey: position) }
    guard previous !== object, let inverse = place.inverse else { return }
    previous?.drop(self, from: inverse)
    object?.take(self, into: inverse)
  }

  final func setMembers(at position: Int, to list: [ManagedObject]) {
    let previous = linkedMembers(at: position)
    let stored = storedMembers(at: position)
    let (isListed, wasMember) = (Set(list), Set(previous))
    edit(position) { memberships[position, default: Membership()].assign(list, stored: stored) }
    guard let inverse = binding.relationships[position].inverse else { return }
    for member in previous where !isListed.contains(member) { member.drop(self, from: inverse) }
    for member in list where !wasMember.contains(member) { member.take(self, into: inverse) }
  }

  /// Enters the other direction of a link that was made.
  private func take(_ object: ManagedObject, into relationship: RelationshipDescription) {
    guard let position = binding.position(of: relationship) else { return }
    if relationship.isToMany {
      edit(position) { memberships[position, default: Membership()].add(object) }
      return
    }
    let previous = linkedDestination(at: position)
    if previous === object { return }
    edit(position) { destinations.updateValue(object, forKey: position) }
    // A to-one direction leads to one object: who had it before loses it.
    if let previous, let inverse = binding.relationships[position].inverse { previous.drop(self, from: inverse) }
  }

  /// Removes the other direction of a link that was undone.
  private func drop(_ object: ManagedObject, from relationship: RelationshipDescription) {
    guard let position = binding.position(of: relationship) else { return }
    if relationship.isToMany {
      edit(position) { memberships[position, default: Membership()].remove(object) }
    } else if linkedDestination(at: position) === object {
      edit(position) { destinations.updateValue(nil, forKey: position) }
    }
  }

  private func edit(_ position: Int, _ change: () -> Void) {
    observers.changing(.relationship(position), of: self, change)
    managedObjectContext?.noteEdit(of: self)
  }
}
