/// What an assignment makes of a list of members.
///
/// Most assignments append or remove a few of many members. So what two lists have in common at their beginnings and ends is
/// found first, by comparing words of memory, and only what lies between is looked at closely.
struct MemberDifference<Related: PersistentModel> {
  /// The new list, each object once.
  private(set) var members: [Related]
  private(set) var added: [Related] = []
  private(set) var removed: [Related] = []
  /// Whether anything but removing members and adding others at the end was done.
  private(set) var isReordered = false
  /// How many members the lists have in common at their beginnings and ends.
  private var unchanged: (start: Int, end: Int)
  /// How many members lie between, in the old list and in the new one together.
  private(set) var changedCount: Int

  /// The old list must have each object once; an object that is listed twice in the new one counts at its first place.
  init(from old: [Related], to new: [Related]) {
    members = new
    let (start, end) = commonEnds(old, new)
    unchanged = (start, end)
    let replaced = old[start..<old.count - end]
    let replacing = new[start..<new.count - end]
    changedCount = replaced.count + replacing.count
    if replacing.isEmpty {
      removed = Array(replaced)
      return
    }
    let before = Set(replaced.map { ObjectIdentifier($0) })
    let around =
      [ListPresence(of: old[..<start], lookUps: replacing.count)]
      + [ListPresence(of: old[(old.count - end)...], lookUps: replacing.count)]
    var seen: Set<ObjectIdentifier> = []
    for member in replacing {
      let isFirst = seen.insert(ObjectIdentifier(member)).inserted
      guard isFirst, !around.contains(where: { $0.position(of: member) != nil }) else {
        var all: Set<ObjectIdentifier> = []
        self = MemberDifference(from: old, to: new.filter { all.insert(ObjectIdentifier($0)).inserted })
        return
      }
      if !before.contains(ObjectIdentifier(member)) { added.append(member) }
    }
    removed = replaced.filter { !seen.contains(ObjectIdentifier($0)) }
    let stays = replaced.filter { seen.contains(ObjectIdentifier($0)) } + added
    isReordered = end > 0 && !added.isEmpty || !zip(stays, replacing).allSatisfy { $0 === $1 }
  }

  /// Makes of an array with the old members one with the new ones.
  func repeatChange(in old: inout [Related]) {
    let replacing = members[unchanged.start..<members.count - unchanged.end]
    old.replaceSubrange(unchanged.start..<old.count - unchanged.end, with: replacing)
  }
}
