import Records

/// How a relationship is read from an object.
final class RelationshipPlan: Sendable {
  let relationship: Relationship
  let keys: [(candidates: [KeyCandidate], shape: RelationshipKeys.Shape)]
  let destination: Entity?
  /// Whether what it leads to can't be without an owner, because the other direction is a to-one relationship that isn't
  /// optional.
  let holdsMembers: Bool
  /// Whether what it leads to belongs to one owner only, so that a link from one row takes it away from another.
  let isExclusive: Bool
  /// Whether the other direction is a relationship of the rows that it leads to, so that linking changes something of theirs.
  let isMutual: Bool

  init(_ relationship: Relationship, in catalog: Catalog, style: KeyStyle, keys table: inout KeyTable) {
    self.relationship = relationship
    destination = catalog[relationship.destination]
    let inverse = destination?.relationships.first { $0.id == relationship.inverse }
    isExclusive = inverse?.isToMany == false
    isMutual = inverse != nil
    holdsMembers = inverse?.description.isRequired == true
    let names = RelationshipKeys(
      name: relationship.name, isToMany: relationship.isToMany, remoteKey: relationship.description.remoteKey)
    var keys: [(candidates: [KeyCandidate], shape: RelationshipKeys.Shape)] = []
    for key in names.keys {
      let candidates = KeyCandidates.candidates(for: key.name, in: style).map { KeyCandidate($0, in: &table) }
      keys.append((candidates, key.shape))
    }
    self.keys = keys
  }

  /// The value under the first of the keys that is present, null included, and what it may be.
  @inline(__always)
  func find(in values: RowValues) -> (value: PayloadValue, shape: RelationshipKeys.Shape)? {
    for key in keys {
      for candidate in key.candidates {
        if let value = values.value(candidate) { return (value, key.shape) }
      }
    }
    return nil
  }
}
