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

  /// Takes what was removed out of a list, and puts what was added at its end unless it is there.
  func apply<Related: PersistentModel>(to members: inout [Related]) {
    let positions = removed.isEmpty ? [] : positions(ofRemovedIn: members)
    if positions.count > 1 {
      members.removeAll { removed.contains($0) }
    } else {
      for position in positions { members.remove(at: position) }
    }
    if !added.isEmpty { members += newMembers(for: members) }
  }

  // Functions of their own, because what they look at must have one owner when it is changed.

  private func positions<Related: PersistentModel>(ofRemovedIn members: [Related]) -> [Int] {
    let presence = ListPresence(of: members[...], lookUps: removed.count)
    return removed.objects.compactMap { presence.position(of: $0) }
  }

  private func newMembers<Related: PersistentModel>(for members: [Related]) -> [Related] {
    let presence = ListPresence(of: members[...], lookUps: added.count)
    return added.objects.compactMap { $0 as? Related }.filter { presence.position(of: $0) == nil }
  }
}
