/// A to-many relationship as an object holds it beside the store: the members that the application has assigned, and how they
/// differ from the stored ones.
///
/// Adding or removing a member from the other direction takes the same time however many there are. A list is made of it when
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

  init() {}

  /// The members that an initialiser sets.
  init<Related: PersistentModel>(_ members: [Related]) {
    assign(MemberDifference(from: [], to: members))
  }

  /// Takes a new list from the application.
  mutating func assign<Related>(_ difference: MemberDifference<Related>) {
    for member in difference.removed { changes.remove(member) }
    for member in difference.added {
      if changes.removed.contains(member) { isReordered = true }
      changes.add(member)
      if member._$backing.state != .unmanaged { mayHoldDeleted = true }
    }
    isReordered = isReordered || difference.isReordered
    list = TypedMembers(models: difference.members)
    late = MemberChanges()
  }

  /// Takes a member from the other direction.
  mutating func add(_ member: any PersistentModel) {
    changes.add(member)
    mayHoldDeleted = true
    if list != nil { late.add(member) }
  }

  /// Loses a member by the other direction.
  mutating func remove(_ member: any PersistentModel) {
    changes.remove(member)
    if list != nil { late.remove(member) }
  }

  /// Puts what the other direction has changed into the list. It is done once for any number of changes.
  mutating func bringListUpToDate() {
    guard !late.isEmpty, let list else { return }
    self.list = list.applying(late)
    late = MemberChanges()
  }

  /// The members, when those in the store are known.
  func members<Related: PersistentModel>(of type: Related.Type, stored: () -> [Related]) -> [Related] {
    guard let list else { return changes.applied(to: stored()) }
    let current = late.isEmpty ? list : list.applying(late)
    if let typed = current as? TypedMembers<Related> { return typed.models }
    return current.objects.compactMap { $0 as? Related }
  }

  /// The list, if a save leaves just that.
  var writtenList: (any MemberList)? {
    if isOutdated { return nil }
    return late.isEmpty ? list : list?.applying(late)
  }

  /// The members in order, where a list was assigned; otherwise those that were added.
  var objects: [any PersistentModel] {
    guard let list else { return changes.added.objects }
    return (late.isEmpty ? list : list.applying(late)).objects
  }

  /// The members that are not stored as such. All members of a new object may be.
  func relatedObjects(ofStored isStored: Bool) -> [any PersistentModel] {
    isStored ? changes.added.objects : objects
  }
}

/// Members in order, whatever their class.
protocol MemberList {
  var count: Int { get }
  var objects: [any PersistentModel] { get }
  func applying(_ changes: MemberChanges) -> any MemberList
}

/// Members as the property shows them, so that reading it copies nothing.
struct TypedMembers<Related: PersistentModel>: MemberList {
  let models: [Related]

  var count: Int { models.count }
  var objects: [any PersistentModel] { models }

  func applying(_ changes: MemberChanges) -> any MemberList {
    TypedMembers(models: changes.applied(to: models))
  }
}

/// Members to be added to and removed from a list. What was done last with a member counts.
struct MemberChanges {
  private(set) var added = ObjectSet()
  private(set) var removed = ObjectSet()

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  mutating func add(_ member: any PersistentModel) {
    removed.remove(member)
    added.insert(member)
  }

  mutating func remove(_ member: any PersistentModel) {
    added.remove(member)
    removed.insert(member)
  }

  /// The list without what was removed, and with what was added at its end unless it is there.
  func applied<Related: PersistentModel>(to members: [Related]) -> [Related] {
    let kept = removed.isEmpty ? members : members.filter { !removed.contains($0) }
    if added.isEmpty { return kept }
    let presence = ListPresence(of: kept[...], lookUps: added.count)
    return kept + added.objects.lazy.compactMap { $0 as? Related }.filter { !presence.contains($0) }
  }
}
