/// An edited to-many relationship of one object: how its members differ from the stored ones.
///
/// A save writes the difference, so members that others add or remove meanwhile stay so.
struct Membership {
  private(set) var added = ObjectSet()
  private(set) var removed = ObjectSet()
  /// An order that was assigned and is not that of the stored members with the added ones behind them.
  private(set) var order: [ManagedObject]?
  /// The members as they were last put together, until something changes.
  var known: [ManagedObject]?

  /// The members, where `stored` are those of the store.
  func members(_ stored: [ManagedObject]) -> [ManagedObject] {
    let members = stored.filter { !removed.contains($0) && !added.contains($0) } + added.objects
    guard let order else { return members }
    let isMember = Set(members)
    let isNamed = Set(order)
    return order.filter { isMember.contains($0) } + members.filter { !isNamed.contains($0) }
  }

  /// Takes a whole list, where `stored` are the members of the store.
  mutating func assign(_ list: [ManagedObject], stored: [ManagedObject]) {
    let (isListed, isStored) = (Set(list), Set(stored))
    added = ObjectSet(list.filter { !isStored.contains($0) })
    removed = ObjectSet(stored.filter { !isListed.contains($0) })
    order = nil
    if members(stored) != list { order = list }
    known = list
  }

  /// Takes a member from the other direction.
  mutating func add(_ member: ManagedObject) {
    if removed.contains(member) { removed.remove(member) } else { added.insert(member) }
    order?.append(member)
    known = nil
  }

  /// Loses a member by the other direction.
  mutating func remove(_ member: ManagedObject) {
    if added.contains(member) { added.remove(member) } else { removed.insert(member) }
    order?.removeAll { $0 === member }
    known = nil
  }
}
