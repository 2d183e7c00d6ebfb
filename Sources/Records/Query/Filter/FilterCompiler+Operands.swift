extension FilterCompiler {
  /// An operand of rows of an entity, made ready to be evaluated.
  mutating func value(of operand: Operand, _ entity: Entity) throws -> FilterCode.Value {
    switch operand {
    case .constant(let value): return .constant(value)
    case .field(let field):
      _ = try checked(field, of: entity)
      return entity.mayLieOutside(field) ? .content(field, entity) : .field(field)
    case .destination(let relationship, let operand):
      let (field, destination) = try hop(over: relationship, from: entity)
      return .hop(field, destination, try value(of: operand, destination))
    case .memberCount(let relationship, let condition):
      return .memberCount(try members(of: relationship, meeting: condition, entity))
    case .arithmetic(let left, let operation, let right):
      return .arithmetic(
        try value(of: left, entity), operation, try value(of: right, entity), text: operand.text(in: entity, catalog))
    case .negated(let inner): return .negated(try value(of: inner, entity), text: operand.text(in: entity, catalog))
    case .length(let inner): return .length(try value(of: inner, entity), text: operand.text(in: entity, catalog))
    case .coalesce(let first, let second):
      return .coalesce(try value(of: first, entity), try value(of: second, entity))
    case .conditional(let condition, let first, let second):
      let entry = try compile(condition, of: entity, whenTrue: FilterCode.isTrue, whenFalse: FilterCode.isFalse)
      return .conditional(entry, try value(of: first, entity), try value(of: second, entity))
    case .truth(let condition):
      return .truth(try compile(condition, of: entity, whenTrue: FilterCode.isTrue, whenFalse: FilterCode.isFalse))
    }
  }

  mutating func members(
    of relationship: Relationship, meeting condition: Condition, _ entity: Entity
  ) throws -> FilterCode.Members {
    guard relationship.isToMany, relationship.entity == entity.id else {
      throw QueryError.wrongRelationship(
        expression: condition.text(across: relationship, catalog), relationship: relationship.direction.name)
    }
    let destination = catalog.entities[relationship.direction.destinationSlot]
    let entry = try compile(condition, of: destination, whenTrue: FilterCode.isTrue, whenFalse: FilterCode.isFalse)
    return FilterCode.Members(direction: relationship.direction, entity: destination, entry: entry)
  }

  /// The field of a to-one relationship of an entity and the entity that it leads to.
  func hop(over relationship: Relationship, from entity: Entity) throws -> (FieldIndex, Entity) {
    guard let field = relationship.field, relationship.entity == entity.id else {
      throw QueryError.wrongRelationship(
        expression: "A condition on \(entity.name)", relationship: relationship.direction.name)
    }
    return (field, catalog.entities[relationship.direction.destinationSlot])
  }

  /// The field as steps have it, if the entity has such a field.
  func checked(_ field: FieldIndex, of entity: Entity) throws -> Int32 {
    guard entity.layout.fields.indices.contains(field) else {
      throw QueryError.noSuchField(entity: entity.name, field: field)
    }
    return Int32(field)
  }
}

extension FieldKind {
  var isText: Bool { self == .string || self == .url }

  var isSigned: Bool {
    switch self {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }

  /// The keys of the values of this kind that equal a value: one or none. Nil where the kind has no key for what is equal.
  func keys(equalTo value: FieldValue) -> [[UInt8]]? {
    if value.isNull { return [KeyEncoder.bytes { $0.appendNull() }] }
    guard let comparison = FieldComparison(self, .equal, value) else { return nil }
    return comparison.key.map { [$0] } ?? []
  }
}

extension FieldComparison {
  /// The key of the constant; nil where no value of the field compares so, or every value does.
  var key: [UInt8]? {
    switch self {
    case .never, .present: nil
    case .bool(_, let value): KeyEncoder.bytes { $0.append(value) }
    case .signed(_, let value): KeyEncoder.bytes { $0.append(value) }
    case .unsigned(_, let value): KeyEncoder.bytes { $0.append(value) }
    case .floating(_, let value): KeyEncoder.bytes { $0.append(value) }
    case .date(_, let value): KeyEncoder.bytes { $0.append(dateSeconds: value.timeIntervalSinceReferenceDate) }
    case .text(_, let value): KeyEncoder.bytes { $0.append(value) }
    case .key(_, let key): key
    }
  }
}

extension [Condition] {
  /// The conditions with those in front that cost the least. What may throw keeps its place among the rest, so that a
  /// condition can go before another to keep it from being evaluated.
  var cheapestFirst: [Condition] {
    filter { $0.cost == 0 } + filter { $0.cost == 1 } + filter { $0.cost > 1 }
  }
}

extension Condition {
  /// 0 for what looks at a number of the record, 1 for what looks at a text, 2 for what reads other records or may throw.
  fileprivate var cost: Int {
    switch self {
    case .always, .never, .isNull(.field), .isRow, .destination(_, .always), .destination(_, .isRow): 0
    case .compare(.field, _, .constant(let value)): value.textContent == nil ? 0 : 1
    case .oneOf(.field, _), .text(.field, _, .constant): 1
    case .not(let condition): condition.cost
    case .all(let parts), .any(let parts): parts.map(\.cost).max() ?? 0
    default: 2
    }
  }
}
