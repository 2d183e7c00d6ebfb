import Records

/// What all rows of a query have in common, so that a changed row leads to the queries that it may belong to: a value of a
/// property. Of a relationship it is the row at its end.
struct LiveKey: Hashable {
  /// The property's number in a `PropertySet`.
  let property: Int
  let value: FieldValue

  init(property: Int, value: FieldValue) {
    self.property = property
    self.value = value
  }

  init(_ relationship: Relationship, leadsTo row: RowNumber) {
    self.init(property: relationship.propertyIndex, value: .uint(row.rawValue))
  }

  /// The key of rows of which a condition is true; nil if it does not ask for one value of a property.
  init?(_ condition: Condition, of entity: Entity) {
    let keys = condition.parts.compactMap { LiveKey(comparison: $0, of: entity) }
    guard let best = keys.min(by: { $0.rank(in: entity) < $1.rank(in: entity) }) else { return nil }
    self = best
  }

  private init?(comparison: Condition, of entity: Entity) {
    let field: FieldIndex
    let value: FieldValue
    switch comparison {
    case .destination(let relationship, .isRow(let rows)) where rows.count == 1:
      self.init(relationship, leadsTo: rows[0])
      return
    case .compare(.field(let own), .equal, .constant(let constant)),
      .compare(.constant(let constant), .equal, .field(let own)):
      (field, value) = (own, constant)
    default: return nil
    }
    guard let attribute = entity.attributes.first(where: { $0.field == field }), !entity.mayLieOutside(field),
      attribute.type.keeps(value)
    else { return nil }
    self.init(property: attribute.propertyIndex, value: value)
  }

  /// Which of several keys leads to the fewest queries: an identity, what is indexed, and a truth value last.
  private func rank(in entity: Entity) -> Int {
    guard entity.attributes.indices.contains(property) else { return 3 }
    let attribute = entity.attributes[property]
    if attribute === entity.identity { return 0 }
    if entity.indexes.contains(where: { $0.attributes.first === attribute }) { return 1 }
    return attribute.type == .bool ? 4 : 2
  }
}

extension Condition {
  /// The conditions that are all true when this one is.
  fileprivate var parts: [Condition] {
    if case .all(let parts) = self { parts } else { [self] }
  }
}

extension AttributeType {
  /// Whether values of the type are equal to a constant only if they are the same in their stored form.
  fileprivate func keeps(_ value: FieldValue) -> Bool {
    switch (self, value) {
    case (.bool, .bool), (.string, .string), (.uuid, .uuid): true
    case (.int8, .int), (.int16, .int), (.int32, .int), (.int64, .int): true
    case (.uint8, .uint), (.uint16, .uint), (.uint32, .uint), (.uint64, .uint): true
    default: false
    }
  }
}
