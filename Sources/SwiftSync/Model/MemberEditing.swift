/// Editing a list of members where it lies. The accessors that `@Model` generates for arrays call these.
///
/// An edit is a read, a change of what was read, and an assignment. Until that is done the property shows what it did before.
extension ModelBacking {
  /// Replaces a list of members that was just read, and is about to be edited, by an equal one that has no other owner, if there is one:
  /// editing it copies nothing.
  public func unshare<Related: PersistentModel>(_ slot: Int, _ members: inout [Related]) {
    if let spare = takeSpare(of: slot, insteadOf: members) { members = spare }
  }

  /// Does the same with a list of members that is declared optional.
  public func unshare<Related: PersistentModel>(_ slot: Int, _ members: inout [Related]?) {
    guard var list = members else { return }
    members = nil
    unshare(slot, &list)
    members = list
  }

  /// Leaves an attribute as it is.
  @_disfavoredOverload
  public func unshare<Value>(_ slot: Int, _ value: inout Value) {}

  private func takeSpare<Related: PersistentModel>(of slot: Int, insteadOf members: [Related]) -> [Related]? {
    guard case .toMany = content(of: slot) else {
      guard let place = memberPlace(of: slot) else { return nil }
      return context?.takeSpare(of: place, insteadOf: members)
    }
    var spare: [Related]?
    updateMembership(of: slot) { spare = $0.takeSpare(insteadOf: members) }
    return spare
  }

  /// Makes the members that were read last part of the object, if they are its own and it has not edited them. What is edited has
  /// one owner.
  func adoptReadMembers(of slot: Int) {
    guard let context, let read = context.readMembers, read.place == memberPlace(of: slot) else { return }
    updateMembership(of: slot) { membership in
      if membership.adopt(read.list) { context.readMembers = nil }
    }
  }

  private func memberPlace(of slot: Int) -> MemberPlace? {
    guard let binding, let row = storedRow else { return nil }
    return MemberPlace(of: slot, owner: row, in: binding)
  }
}
