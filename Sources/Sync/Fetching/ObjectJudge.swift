import Records

/// Answers for an object, as it is in its context, what a query asks of rows.
enum ObjectJudge {
  /// - Throws: `QueryError` for what can't be calculated.
  static func isTrue(_ condition: Condition, of object: ManagedObject) throws -> Bool {
    switch condition {
    case .always: true
    case .never: false
    case .all(let parts): try parts.allSatisfy { try isTrue($0, of: object) }
    case .any(let parts): try parts.contains { try isTrue($0, of: object) }
    case .not(let condition): try !isTrue(condition, of: object)
    case .isNull(let operand): try value(operand, of: object).isNull
    case .compare(let left, let comparison, let right):
      try value(left, of: object).matches(comparison, value(right, of: object))
    case .oneOf(let operand, let values): try isOne(of: values, value(operand, of: object))
    case .text(let text, let match, let pattern):
      try matches(value(text, of: object), match, value(pattern, of: object))
    case .isRow(let rows): rows.contains(object.row)
    case .destination(let relationship, let condition):
      try destination(relationship, of: object).map { try isTrue(condition, of: $0) } ?? false
    case .anyMember(let relationship, let condition):
      try members(relationship, of: object).contains { try isTrue(condition, of: $0) }
    case .allMembers(let relationship, let condition):
      try members(relationship, of: object).allSatisfy { try isTrue(condition, of: $0) }
    }
  }

  /// - Throws: `QueryError` for what can't be calculated.
  static func value(_ operand: Operand, of object: ManagedObject) throws -> FieldValue {
    switch operand {
    case .constant(let value): value
    case .field(let field): value(at: field, of: object)
    case .destination(let relationship, let operand):
      try destination(relationship, of: object).map { try value(operand, of: $0) } ?? .null
    case .memberCount(let relationship, where: let condition):
      .int(Int64(try members(relationship, of: object).count { try isTrue(condition, of: $0) }))
    case .arithmetic(let left, let operation, let right):
      try operation.result(value(left, of: object), value(right, of: object), expression: operation.rawValue)
    case .negated(let operand): try value(operand, of: object).negated(expression: "-")
    case .length(let operand): try value(operand, of: object).length(expression: "length")
    case .coalesce(let first, let second): try coalesce(value(first, of: object), second, of: object)
    case .conditional(let condition, let first, let second):
      try value(isTrue(condition, of: object) ? first : second, of: object)
    case .truth(let condition): .bool(try isTrue(condition, of: object))
    }
  }

  private static func isOne(of values: [FieldValue], _ value: FieldValue) -> Bool {
    values.contains { value.matches(.equal, $0) }
  }

  private static func matches(_ text: FieldValue, _ match: TextMatch, _ pattern: FieldValue) -> Bool {
    guard let text = text.textContent, let pattern = pattern.textContent else { return false }
    return match.matches(text, pattern)
  }

  private static func coalesce(
    _ first: FieldValue, _ second: Operand, of object: ManagedObject
  ) throws -> FieldValue {
    first.isNull ? try value(second, of: object) : first
  }

  private static func value(at field: FieldIndex, of object: ManagedObject) -> FieldValue {
    if field == object.binding.entityField { return .string(object.entity.name) }
    return switch object.binding.property(at: field) {
    case .attribute(let position): object.fieldValue(at: position)
    case .relationship(let position): object.destination(at: position).map { .uint($0.row.rawValue) } ?? .null
    // It is an attribute of other entities whose objects are stored with these.
    case nil: .null
    }
  }

  private static func destination(_ relationship: Relationship, of object: ManagedObject) -> ManagedObject? {
    object.binding.position(of: relationship).flatMap { object.destination(at: $0) }
  }

  private static func members(_ relationship: Relationship, of object: ManagedObject) -> [ManagedObject] {
    object.binding.position(of: relationship).map { object.members(at: $0) } ?? []
  }
}
