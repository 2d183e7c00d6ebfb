import Records

/// The members of a stored to-many relationship that were read or saved last. Code that walks through a list, or appends to it,
/// reads it again and again.
struct ReadMembers {
  let place: MemberPlace
  private(set) var list: any MemberList

  /// Gives the list's spare copy away, if `members` are the list (`TypedMembers`).
  mutating func takeSpare<Related: PersistentModel>(insteadOf members: [Related]) -> [Related]? {
    guard var typed = list as? TypedMembers<Related> else { return nil }
    defer { list = typed }
    return typed.takeSpare(insteadOf: members)
  }
}

/// One row's to-many relationship.
struct MemberPlace: Equatable {
  let entity: EntityID
  let row: RowNumber
  /// The relationship's place in property sets.
  let property: Int

  /// Nil unless the slot is a to-many relationship.
  init?(of slot: Int, owner: RowNumber, in binding: ModelBinding) {
    guard let relationship = binding.relationship(of: slot) else { return nil }
    entity = binding.entity.id
    row = owner
    property = relationship.propertyIndex
  }

  /// Whether a commit has changed the members.
  func isChanged(by changes: ChangeSet) -> Bool {
    guard let changes = changes.entities[entity] else { return false }
    return changes.updated[row]?.contains(property) == true || changes.deleted.contains(row)
  }
}

extension ModelContext {
  /// Forgets the members that were read last if a commit has changed them. One of a save's own says what the list says already.
  func forgetMembers(changedBy commits: [ChangeSet], besides own: ChangeSet?) {
    guard let place = readMembers?.place else { return }
    let ownCount = own.map(place.isChanged) == true ? 1 : 0
    if commits.count(where: place.isChanged) > ownCount { readMembers = nil }
  }

  /// Gives the spare copy of some members away, if they are those that were read last.
  func takeSpare<Related: PersistentModel>(of place: MemberPlace, insteadOf members: [Related]) -> [Related]? {
    readMembers?.place == place ? readMembers?.takeSpare(insteadOf: members) : nil
  }

  /// Which members are known without reading when a save has ended: the longest list that it has written, or those that were read
  /// last, if it has not changed them.
  ///
  /// None if an object in them may be gone.
  func membersKnown(after save: ChangeSet) -> ReadMembers? {
    if graph.mayHideMembers || graph.isReading { return nil }
    var longest: ReadMembers?
    for model in unsaved.edited.objects {
      let backing = model._$backing
      guard let binding = backing.binding, let row = backing.storedRow else { continue }
      for property in binding.toManyProperties(in: nil) where backing.isEdited(property.slot) {
        guard case .toMany(let membership) = backing.content(of: property.slot), let list = membership.writtenList,
          list.count > longest?.list.count ?? -1,
          let place = MemberPlace(of: property.slot, owner: row, in: binding)
        else { continue }
        longest = ReadMembers(place: place, list: list)
      }
    }
    return longest ?? readMembers.flatMap { $0.place.isChanged(by: save) ? nil : $0 }
  }
}
