/// One relationship of one object, as a sync reads and writes it, whatever it is declared as.
struct RelationshipEnd<Related: PersistentModel> {
  let owner: AnyObject
  /// Which relationship of the owner it is.
  let keyPath: AnyKeyPath
  let isToMany: Bool
  /// Whether it may lead nowhere.
  let canBeEmpty: Bool
  /// The line of the owner's table, if the key path leads to a stored relationship.
  let property: ModelProperty?
  private let read: () -> [Related]
  private let write: ([Related]) -> Void

  /// The objects at the far end: none or one for a to-one relationship.
  var members: [Related] { read() }

  func assign(_ members: [Related]) { write(members) }

  /// The owner as a model; it is one unless somebody calls the relationship helpers with something else.
  var model: (any PersistentModel)? { owner as? any PersistentModel }

  /// The relationship of a line of the owner's table.
  init<Owner: PersistentModel>(_ owner: Owner, _ property: ModelProperty, _ relationship: RelationshipTrait) {
    let backing = owner._$backing
    self.owner = owner
    self.property = property
    keyPath = property.keyPath
    isToMany = relationship.isToMany
    canBeEmpty = relationship.isToMany || relationship.isOptional
    if relationship.isToMany {
      read = {
        backing.connectInitialRelationships(of: owner)
        return backing.members(of: property.slot, as: Related.self)
      }
      write = {
        backing.setMembers(of: property.slot, of: owner, to: $0)
        backing.announce(property, of: owner)
      }
    } else {
      read = {
        backing.connectInitialRelationships(of: owner)
        return (backing.destination(of: property.slot) as? Related).map { [$0] } ?? []
      }
      write = {
        backing.setDestination(of: property.slot, of: owner, to: $0.first)
        backing.announce(property, of: owner)
      }
    }
  }

  /// An optional to-one relationship.
  init<Owner>(_ owner: Owner, _ keyPath: ReferenceWritableKeyPath<Owner, Related?>) {
    self.init(owner, keyPath, isToMany: false, canBeEmpty: true) {
      owner[keyPath: keyPath].map { [$0] } ?? []
    } write: {
      owner[keyPath: keyPath] = $0.first
    }
  }

  /// A to-one relationship that leads to an object whatever happens.
  init<Owner>(_ owner: Owner, _ keyPath: ReferenceWritableKeyPath<Owner, Related>) {
    self.init(owner, keyPath, isToMany: false, canBeEmpty: false) {
      let related = owner[keyPath: keyPath]
      return related.isDeleted ? [] : [related]
    } write: {
      if let related = $0.first { owner[keyPath: keyPath] = related }
    }
  }

  /// A to-many relationship.
  init<Owner>(_ owner: Owner, _ keyPath: ReferenceWritableKeyPath<Owner, [Related]>) {
    self.init(owner, keyPath, isToMany: true, canBeEmpty: true) {
      owner[keyPath: keyPath]
    } write: {
      owner[keyPath: keyPath] = $0
    }
  }

  private init<Owner>(
    _ owner: Owner, _ keyPath: AnyKeyPath, isToMany: Bool, canBeEmpty: Bool, read: @escaping () -> [Related],
    write: @escaping ([Related]) -> Void
  ) {
    self.owner = owner as AnyObject
    self.keyPath = keyPath
    self.isToMany = isToMany
    self.canBeEmpty = canBeEmpty
    self.read = read
    self.write = write
    property = (owner as? any PersistentModel).flatMap { type(of: $0).modelTable.property(at: keyPath) }
  }

  /// What the other direction is declared as; nil where there is none.
  private var inverse: RelationshipTrait? {
    guard let model, let property else { return nil }
    return model._$backing.inverse(of: property.slot, in: type(of: model).modelTable)?.relationship
  }

  /// Whether what it leads to can't be without an owner.
  var holdsMembers: Bool {
    guard let inverse else { return false }
    return !inverse.isToMany && !inverse.isOptional
  }

  /// Whether its members may be taken from it by their own to-one relationship.
  var isClaimedByMembers: Bool { inverse?.isToMany == false }
}
