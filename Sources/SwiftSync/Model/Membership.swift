/// A to-many relationship as an object holds it beside the store: the members that the application has assigned, and how they
/// differ from the stored ones.
///
/// Adding or removing a member from the other direction takes the same time however many there are. The list takes it in when
/// somebody reads.
struct Membership {
  /// As assigned, without what the other direction has changed since. Nil: the stored members with `changes`.
  private var list: (any MemberList)?
  /// What the other direction has changed since the list was assigned.
  private var late = MemberChanges()
  /// What a save writes.
  private(set) var changes = MemberChanges()
  /// Whether a save has to write the order too: members were assigned in another one than they are stored in, or in front of
  /// stored ones.
  private(set) var isReordered = false
  /// Whether others have changed the stored members since, so that a save leaves others than the list has.
  var isOutdated = false
  /// Whether some member was in a context when it was assigned, and may have been deleted since.
  private(set) var mayHoldDeleted = false
  /// When all members were last seen to be there. Nil once one was added that may not be.
  var presenceCheck: ObjectGraph.HidingMark?

  init() {}

  /// The members that an initialiser sets.
  init<Related: PersistentModel>(_ members: [Related]) {
    assign(MemberDifference(from: [], to: members))
  }

  /// Takes over the stored members as they were read, before a list is assigned that differs from them.
  ///
  /// - Returns: Whether the members are just these.
  mutating func adopt(_ stored: any MemberList) -> Bool {
    guard list == nil, changes.isEmpty else { return false }
    list = stored
    return true
  }

  /// Takes a new list from the application. It differs from these members, brought up to date, as told.
  mutating func assign<Related>(_ difference: MemberDifference<Related>) {
    for member in difference.removed { changes.remove(member) }
    for member in difference.added {
      if changes.removed.contains(member) { isReordered = true }
      changes.add(member)
      if member._$backing.state != .unmanaged { mayHoldDeleted = true }
      if !member._$backing.isPresent { presenceCheck = nil }
    }
    isReordered = isReordered || difference.isReordered
    if var typed = list as? TypedMembers<Related> {
      // The list would be a second owner.
      list = nil
      typed.assign(difference)
      list = typed
    } else {
      list = TypedMembers(models: difference.members)
    }
    late = MemberChanges()
  }

  /// Takes a member from the other direction.
  mutating func add(_ member: any PersistentModel) {
    mayHoldDeleted = true
    if !member._$backing.isPresent { presenceCheck = nil }
    // The list has it already when an object is appended that names its owner itself.
    if changes.added.contains(member) { return }
    changes.add(member)
    if list != nil { late.add(member) }
  }

  /// Loses a member by the other direction.
  mutating func remove(_ member: any PersistentModel) {
    changes.remove(member)
    if list != nil { late.remove(member) }
  }

  /// Puts what the other direction has changed into the list. It is done once for any number of changes.
  mutating func bringListUpToDate() {
    guard !late.isEmpty, var current = list else { return }
    list = nil
    current.apply(late)
    list = current
    late = MemberChanges()
  }

  /// Gives the list's spare copy away, if `members` are the list (`TypedMembers`).
  mutating func takeSpare<Related: PersistentModel>(insteadOf members: [Related]) -> [Related]? {
    guard var typed = list as? TypedMembers<Related> else { return nil }
    defer { list = typed }
    return typed.takeSpare(insteadOf: members)
  }

  /// The members, when those in the store are known.
  func members<Related: PersistentModel>(of type: Related.Type, stored: () -> [Related]) -> [Related] {
    guard let list = currentList else {
      var members = stored()
      changes.apply(to: &members)
      return members
    }
    if let typed = list as? TypedMembers<Related> { return typed.models }
    return list.objects.compactMap { $0 as? Related }
  }

  /// The list with what the other direction has changed.
  private var currentList: (any MemberList)? {
    guard !late.isEmpty, var current = list else { return list }
    current.apply(late)
    return current
  }

  /// The list, if a save leaves just that.
  var writtenList: (any MemberList)? {
    isOutdated ? nil : currentList
  }

  /// The members in order, where a list was assigned; otherwise those that were added.
  var objects: [any PersistentModel] {
    currentList?.objects ?? changes.added.objects
  }

  /// The members that are not stored as such. All members of a new object may be.
  func relatedObjects(ofStored isStored: Bool) -> [any PersistentModel] {
    isStored ? changes.added.objects : objects
  }
}
