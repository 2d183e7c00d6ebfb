/// Members in order, whatever their class.
protocol MemberList {
  var count: Int { get }
  var objects: [any PersistentModel] { get }
  mutating func apply(_ changes: MemberChanges)
}

/// Members as the property shows them, so that reading it copies nothing, and once more for the next edit.
///
/// Editing an array copies it if somebody else has it too. The members that the property shows stay as they are while somebody
/// edits: observers read them, and the edit itself may. So an edit works on the spare copy, which becomes the members in the end. What
/// it has changed is done to the former members too, and they are the next spare copy. Thus adding one of many members copies none
/// of the others.
struct TypedMembers<Related: PersistentModel>: MemberList {
  /// A change of more than one in so many members is not repeated: making a copy, if one is needed, costs as much.
  private static var membersPerRepeatedChange: Int { 8 }

  private(set) var models: [Related]
  /// The members in a buffer of their own. It is not made before an edit has made it.
  private var spare: [Related]?

  init(models: [Related]) {
    self.models = models
  }

  var count: Int { models.count }
  var objects: [any PersistentModel] { models }

  mutating func apply(_ changes: MemberChanges) {
    changes.apply(to: &models)
    guard var copy = spare else { return }
    // The property would be a second owner.
    spare = nil
    changes.apply(to: &copy)
    spare = copy
  }

  /// Gives the spare copy away, if there is one and `list` is what it is a copy of.
  mutating func takeSpare(insteadOf list: [Related]) -> [Related]? {
    guard list.hasSameBuffer(as: models) else { return nil }
    defer { spare = nil }
    return spare
  }

  /// Takes a new list, which differs from these members as told.
  mutating func assign(_ difference: MemberDifference<Related>) {
    var former = models
    models = difference.members
    spare = nil
    guard difference.changedCount <= former.count / Self.membersPerRepeatedChange else { return }
    difference.repeatChange(in: &former)
    spare = former
  }
}

extension Array {
  /// Whether two arrays are one until somebody edits one of them.
  fileprivate func hasSameBuffer(as other: [Element]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress } }
  }
}
