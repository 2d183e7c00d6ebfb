import Foundation

/// Objects in the place of identities (contract, section 10.3).
extension LinkApplication {
  /// Applies the object under a key to a to-one relationship.
  func applyNestedObject<Related: SyncUpdatableModel>(
    _ value: Any, to end: RelationshipEnd<Related>
  ) throws -> Bool {
    if isFixed(end) { return false }
    if value is NSNull { return clear(end) }
    guard let object = value as? [String: Any] else {
      noteIgnored(value, at: end, .mismatchedValue)
      return false
    }
    // An empty object says nothing, not even which row it means: an export has it where an object contains itself.
    if object.isEmpty { return false }
    let nested = nestedPayload(object, at: steps)
    if let identity = pass.directory(Related.self).identity(in: nested) {
      guard let found = try takeNested(nested, identity, Related.self) else { return false }
      return link(end, to: found.object) || found.isChanged
    }
    if operations.contains(.update), let current = end.members.first {
      return try pass.update(current, by: nested, operations: operations)
    }
    guard operations.contains(.insert) else { return false }
    _ = link(end, to: try pass.make(Related.self, of: nested, nil))
    return true
  }

  /// Applies the objects under a key to a to-many relationship.
  func applyNestedObjects<Related: SyncUpdatableModel>(
    _ value: Any, to end: RelationshipEnd<Related>
  ) throws -> Bool {
    if isFixed(end) { return false }
    if value is NSNull { return clear(end) }
    guard let objects = PayloadConversion.list(value) as? [[String: Any]] else {
      noteIgnored(value, at: end, .mismatchedValue)
      return false
    }
    // A list with an object in it that says nothing does not say either what is missing in it.
    if objects.contains(where: \.isEmpty) { return false }
    var wanted: [Related] = []
    var seen: Set<ObjectIdentifier> = []
    var isChanged = false
    for (position, object) in objects.enumerated() {
      let nested = nestedPayload(object, at: steps + ["\(position)"])
      let taken: (object: Related, isChanged: Bool)?
      if let identity = pass.directory(Related.self).identity(in: nested) {
        taken = try takeNested(nested, identity, Related.self)
      } else {
        taken = operations.contains(.insert) ? (try pass.make(Related.self, of: nested, nil), true) : nil
      }
      guard let taken else { continue }
      isChanged = isChanged || taken.isChanged
      if seen.insert(ObjectIdentifier(taken.object)).inserted { wanted.append(taken.object) }
    }
    if end.isClaimedByMembers {
      pass.postponeLink(of: end.owner, end.keyPath) { merge(wanted, into: end, value: value) }
    } else {
      pass.forgetLink(of: end.owner, end.keyPath)
    }
    return merge(wanted, into: end, value: value) || isChanged
  }

  /// The object that a nested one means, changed by it or made of it; nil if there is none and none may be made.
  private func takeNested<Related: SyncUpdatableModel>(
    _ nested: SyncPayload, _ identity: Related.SyncID, _ type: Related.Type
  ) throws -> (object: Related, isChanged: Bool)? {
    if let known = try pass.find(type, identity) {
      return (known, try pass.update(known, by: nested, operations: operations))
    }
    guard operations.contains(.insert), try !pass.wasDeletedHere(identity, type) else { return nil }
    return (try pass.make(type, of: nested, identity), true)
  }

  private func nestedPayload(_ object: [String: Any], at steps: [String]) -> SyncPayload {
    SyncPayload(values: object, keyStyle: payload.keyStyle, place: payload.place?.appending(steps))
  }
}
