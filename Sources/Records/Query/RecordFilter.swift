/// A condition made ready to be evaluated on the records of an entity.
package struct RecordFilter: Sendable {
  private let condition: Condition
  private let entity: Entity

  /// - Throws: `QueryError` for what does not fit the entity.
  package init(_ condition: Condition, of entity: Entity, in catalog: Catalog) throws {
    self.condition = condition
    self.entity = entity
  }

  /// Whether the condition is true of a row.
  ///
  /// - Throws: `QueryError` for what cannot be calculated; what reading other rows throws.
  package func matches(_ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot) throws -> Bool {
    try condition.isTrue(row, record, entity, snapshot)
  }
}

extension Condition {
  fileprivate func isTrue(
    _ row: RowNumber, _ record: RecordView, _ entity: Entity, _ snapshot: RecordSnapshot
  ) throws -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .all(let parts): return try parts.allSatisfy { try $0.isTrue(row, record, entity, snapshot) }
    case .any(let parts): return try parts.contains { try $0.isTrue(row, record, entity, snapshot) }
    case .not(let condition): return try !condition.isTrue(row, record, entity, snapshot)
    case .isNull(let operand): return try operand.value(row, record, entity, snapshot).isNull
    case .compare(let left, let comparison, let right):
      return try left.value(row, record, entity, snapshot)
        .matches(comparison, right.value(row, record, entity, snapshot))
    case .oneOf(let operand, let values):
      let value = try operand.value(row, record, entity, snapshot)
      return values.contains { value.matches(.equal, $0) }
    case .text(let operand, let match, let pattern):
      guard let text = try operand.value(row, record, entity, snapshot).textContent,
        let pattern = try pattern.value(row, record, entity, snapshot).textContent
      else { return false }
      return match.matches(text, pattern)
    case .isRow(let rows): return rows.contains(row)
    case .destination(let relationship, let condition):
      guard let field = relationship.field, let destination = record.row(field) else { return false }
      let other = snapshot.catalog.entities[relationship.direction.destinationSlot]
      return try snapshot.withRecord(destination, of: other) {
        try condition.isTrue(destination, $0, other, snapshot)
      } ?? false
    case .anyMember(let relationship, let condition):
      return try condition.count(amongMembersOf: relationship, row, snapshot) > 0
    case .allMembers(let relationship, let condition):
      return try Condition.not(condition).count(amongMembersOf: relationship, row, snapshot) == 0
    }
  }

  fileprivate func count(
    amongMembersOf relationship: Relationship, _ row: RowNumber, _ snapshot: RecordSnapshot
  ) throws -> Int {
    let other = snapshot.catalog.entities[relationship.direction.destinationSlot]
    return try snapshot.members(of: relationship, owner: row).count { member in
      try snapshot.withRecord(member, of: other) { try isTrue(member, $0, other, snapshot) } ?? false
    }
  }
}

extension Operand {
  func value(
    _ row: RowNumber, _ record: RecordView, _ entity: Entity, _ snapshot: RecordSnapshot
  ) throws -> FieldValue {
    switch self {
    case .constant(let value): return value
    case .field(let field): return record.value(field)
    case .destination(let relationship, let operand):
      guard let field = relationship.field, let destination = record.row(field) else { return .null }
      let other = snapshot.catalog.entities[relationship.direction.destinationSlot]
      return try snapshot.withRecord(destination, of: other) {
        try operand.value(destination, $0, other, snapshot)
      } ?? .null
    case .memberCount(let relationship, let condition):
      return .int(Int64(try condition.count(amongMembersOf: relationship, row, snapshot)))
    case .arithmetic(let left, let operation, let right):
      return try operation.result(
        left.value(row, record, entity, snapshot), right.value(row, record, entity, snapshot),
        expression: text(in: entity, snapshot.catalog))
    case .negated(let operand):
      return try operand.value(row, record, entity, snapshot).negated(expression: text(in: entity, snapshot.catalog))
    case .length(let operand):
      return try operand.value(row, record, entity, snapshot).length(expression: text(in: entity, snapshot.catalog))
    case .coalesce(let first, let second):
      let value = try first.value(row, record, entity, snapshot)
      return value.isNull ? try second.value(row, record, entity, snapshot) : value
    case .conditional(let condition, let first, let second):
      return try (condition.isTrue(row, record, entity, snapshot) ? first : second)
        .value(row, record, entity, snapshot)
    case .truth(let condition): return .bool(try condition.isTrue(row, record, entity, snapshot))
    }
  }
}
