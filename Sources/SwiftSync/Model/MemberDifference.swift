/// What an assignment makes of a list of members.
///
/// Most assignments append or remove a few of many members. So what two lists have in common at their beginnings and ends is
/// found first, by comparing references, and only what lies between is looked at closely.
struct MemberDifference<Related: PersistentModel> {
  /// The new list, each object once.
  private(set) var members: [Related]
  private(set) var added: [Related] = []
  private(set) var removed: [Related] = []
  /// Whether anything but removing members and adding others at the end was done.
  private(set) var isReordered = false

  /// The old list must have each object once; an object that is listed twice in the new one counts at its first place.
  init(from old: [Related], to new: [Related]) {
    members = new
    let (start, end) = commonEnds(old, new)
    let replaced = old[start..<old.count - end]
    let replacing = new[start..<new.count - end]
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
      guard isFirst, !around.contains(where: { $0.contains(member) }) else {
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
}

/// Tells whether objects occur in a list: by looking through it for a few of them, by a set for many.
struct ListPresence<Related: PersistentModel> {
  private static var lookUpsWithoutSetMax: Int { 8 }

  private let list: ArraySlice<Related>
  private let set: Set<ObjectIdentifier>?

  init(of list: ArraySlice<Related>, lookUps: Int) {
    self.list = list
    set = lookUps > Self.lookUpsWithoutSetMax ? Set(list.map { ObjectIdentifier($0) }) : nil
  }

  func contains(_ model: Related) -> Bool {
    if let set { return set.contains(ObjectIdentifier(model)) }
    return withReferences(of: list) { $0.contains(UInt(bitPattern: ObjectIdentifier(model))) }
  }
}

/// How many objects two lists have in common at the beginning and, of the rest, at the end.
private func commonEnds<Related: PersistentModel>(_ old: [Related], _ new: [Related]) -> (start: Int, end: Int) {
  withReferences(of: old[...]) { old in
    withReferences(of: new[...]) { new in
      let count = min(old.count, new.count)
      var start = 0
      while start < count, old[start] == new[start] { start += 1 }
      var end = 0
      while end < count - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
      return (start, end)
    }
  }
}

/// The objects of a list as words, which are compared without generic code and reference counts. An object of a class is
/// one word in an array.
private func withReferences<Related: PersistentModel, Result>(
  of list: ArraySlice<Related>, _ body: (UnsafeBufferPointer<UInt>) -> Result
) -> Result {
  list.withUnsafeBufferPointer { $0.withMemoryRebound(to: UInt.self, body) }
}
