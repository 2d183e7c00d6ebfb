import Records

/// How a relationship is read from an object.
final class RelationshipPlan: Sendable {
  /// What reports and errors call it.
  let name: String
  let relationship: Relationship
  let keys: [(candidates: [KeyCandidate], shape: RelationshipKeys.Shape)]
  let destination: Entity?
  /// The name of the mapping of what it leads to.
  let destinationName: String
  /// Whether what it leads to can't be without an owner, because the other direction is a to-one relationship that isn't
  /// optional.
  let holdsMembers: Bool
  /// Whether what it leads to belongs to one owner only, so that a link from one row takes it away from another.
  let isExclusive: Bool
  /// Whether the other direction is a relationship of the rows that it leads to, so that linking changes something of theirs.
  let isMutual: Bool
  /// Whether the order of a list counts.
  let isOrdered: Bool
  private let prefersObjects: Bool

  init(_ mapped: MappedRelationship, _ relationship: Relationship, in catalog: Catalog, keys table: inout KeyTable) {
    name = mapped.name
    self.relationship = relationship
    destination = catalog[relationship.destination]
    destinationName = mapped.destination
    let inverse = destination?.relationships.first { $0.id == relationship.inverse }
    isExclusive = inverse?.isToMany == false
    isMutual = inverse != nil
    holdsMembers = inverse?.description.isRequired == true
    isOrdered = mapped.isOrdered
    prefersObjects = mapped.prefersObjects
    var keys: [(candidates: [KeyCandidate], shape: RelationshipKeys.Shape)] = []
    for key in mapped.keys {
      keys.append((key.candidates.map { KeyCandidate($0, of: .relationships, in: &table) }, key.shape))
    }
    self.keys = keys
  }

  /// The value under the first of the keys that is present, null included, and what it may be.
  @inline(__always)
  func find(in values: RowValues) -> (value: PayloadValue, shape: RelationshipKeys.Shape)? {
    if prefersObjects, let objects = findObjects(in: values) { return objects }
    for key in keys {
      for candidate in key.candidates {
        if let value = values.value(candidate) { return (value, key.shape) }
      }
    }
    return nil
  }

  /// The first value that is an object, or a list of objects.
  private func findObjects(in values: RowValues) -> (value: PayloadValue, shape: RelationshipKeys.Shape)? {
    for key in keys where key.shape != .identities {
      for candidate in key.candidates {
        guard let value = values.value(candidate), value.count > 0 else { continue }
        let isObjects = relationship.isToMany ? value.elements.contains { $0.kind == .object } : value.kind == .object
        if isObjects { return (value, key.shape) }
      }
    }
    return nil
  }
}
