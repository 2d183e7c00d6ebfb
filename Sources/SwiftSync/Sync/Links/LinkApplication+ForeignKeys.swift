import Foundation

/// Identities of other rows (contract, section 10.2).
extension LinkApplication {
  /// Applies the value under a foreign key to a to-one relationship.
  func applyForeignKey<Related: SyncModelable>(_ value: Any, to end: RelationshipEnd<Related>) throws -> Bool {
    if isFixed(end) { return false }
    if value is NSNull { return clear(end) }
    guard let identity = pass.directory(Related.self).identity(referredToBy: value) else {
      noteIgnored(value, at: end, .mismatchedValue)
      return false
    }
    guard operations.canLink else { return false }
    if let related = try pass.find(Related.self, identity) { return link(end, to: related) }
    // A row that comes later in the payload may have the identity.
    pass.postponeLink(of: end.owner, end.keyPath) {
      try pass.find(Related.self, identity).map { link(end, to: $0) } ?? false
    }
    pass.checkLate {
      if try pass.find(Related.self, identity) == nil { noteIgnored(value, at: end, .unknownIdentity) }
    }
    return false
  }

  /// Applies the list under a foreign key to a to-many relationship.
  func applyForeignKeys<Related: SyncModelable>(_ value: Any, to end: RelationshipEnd<Related>) throws -> Bool {
    if isFixed(end) { return false }
    if value is NSNull { return clear(end) }
    // One wrong element makes the whole list void: a list of which a part is unknown says nothing about what is missing in it.
    guard let elements = PayloadConversion.list(value),
      let identities = pass.directory(Related.self).identities(referredToBy: elements)
    else {
      noteIgnored(value, at: end, .mismatchedValue)
      return false
    }
    let wanted = try find(identities, elements, Related.self)
    if !wanted.unknown.isEmpty || end.isClaimedByMembers {
      pass.postponeLink(of: end.owner, end.keyPath) {
        merge(try find(identities, elements, Related.self).objects, into: end, value: value)
      }
    } else {
      pass.forgetLink(of: end.owner, end.keyPath)
    }
    if !wanted.unknown.isEmpty {
      pass.checkLate {
        for (position, element) in try find(identities, elements, Related.self).unknown {
          noteIgnored(element, position: position, at: end, .unknownIdentity)
        }
      }
    }
    return merge(wanted.objects, into: end, value: value)
  }

  /// The objects with some identities, each once, and the elements of the list that name nobody.
  private func find<Related: SyncModelable>(
    _ identities: [Related.SyncID], _ elements: [Any], _ type: Related.Type
  ) throws -> (objects: [Related], unknown: [(position: Int, element: Any)]) {
    var seen: Set<ObjectIdentifier> = []
    var objects: [Related] = []
    var unknown: [(position: Int, element: Any)] = []
    for (position, (identity, element)) in zip(identities, elements).enumerated() {
      if let related = try pass.find(type, identity) {
        if seen.insert(ObjectIdentifier(related)).inserted { objects.append(related) }
      } else {
        unknown.append((position, element))
      }
    }
    return (objects, unknown)
  }
}
