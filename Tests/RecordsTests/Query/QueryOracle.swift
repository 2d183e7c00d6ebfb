import Foundation

@testable import Records

/// Answers queries by asking every row of a `QueryWorld`, in the plainest way.
struct QueryOracle {
  let world: QueryWorld
  let catalog: Catalog

  func rows(_ query: RecordQuery, accepting: (RowNumber) -> Bool = { _ in true }) throws -> [RowNumber] {
    let matching = try rows(of: query.entity).filter { row in
      try !query.excluding.contains(row) && isTrue(query.condition, row, query.entity) && accepting(row)
    }
    let keyed = try matching.map { row in
      (row, try query.order.map { try value(of: $0.operand, row, query.entity) })
    }
    let sorted = keyed.sorted { left, right in
      for (position, term) in query.order.enumerated() {
        let order = QueryOracle.sortOrder(left.1[position], right.1[position])
        if order != 0 { return (order < 0) == term.isAscending }
      }
      return left.0 < right.0
    }
    return Array(sorted.map(\.0).dropFirst(query.offset).prefix(query.limit ?? .max))
  }

  func isTrue(_ condition: Condition, _ row: RowNumber, _ entity: Entity) throws -> Bool {
    switch condition {
    case .always: return true
    case .never: return false
    case .all(let parts): return try parts.allSatisfy { try isTrue($0, row, entity) }
    case .any(let parts): return try parts.contains { try isTrue($0, row, entity) }
    case .not(let condition): return try !isTrue(condition, row, entity)
    case .isNull(let operand): return try value(of: operand, row, entity) == .null
    case .compare(let left, let comparison, let right):
      return QueryOracle.holds(comparison, try value(of: left, row, entity), try value(of: right, row, entity))
    case .oneOf(let operand, let values):
      let value = try value(of: operand, row, entity)
      return values.contains { QueryOracle.holds(.equal, value, $0) }
    case .text(let operand, let match, let pattern):
      guard let text = QueryOracle.text(try value(of: operand, row, entity)),
        let pattern = QueryOracle.text(try value(of: pattern, row, entity))
      else { return false }
      return QueryOracle.matches(match, text, pattern)
    case .isRow(let rows): return rows.contains(row)
    case .destination(let relationship, let condition):
      let destination = catalog.entities[relationship.direction.destinationSlot]
      return try stored(row, entity).destinations[relationship.name].map { try isTrue(condition, $0, destination) }
        ?? false
    case .anyMember(let relationship, let condition):
      return try members(of: relationship, row, entity, condition).count > 0
    case .allMembers(let relationship, let condition):
      return try members(of: relationship, row, entity, .not(condition)).isEmpty
    }
  }

  private func value(of operand: Operand, _ row: RowNumber, _ entity: Entity) throws -> FieldValue {
    switch operand {
    case .constant(let value): return value
    case .field(let field):
      let name = entity.nameOfField(field)
      let row = stored(row, entity)
      return row.values[name] ?? row.destinations[name].map { .uint($0.rawValue) } ?? .null
    case .destination(let relationship, let operand):
      let destination = catalog.entities[relationship.direction.destinationSlot]
      return try stored(row, entity).destinations[relationship.name].map { try value(of: operand, $0, destination) }
        ?? .null
    case .memberCount(let relationship, let condition):
      return .int(Int64(try members(of: relationship, row, entity, condition).count))
    case .arithmetic(let left, let operation, let right):
      guard case .int(let left) = try value(of: left, row, entity),
        case .int(let right) = try value(of: right, row, entity)
      else { return .null }
      switch operation {
      case .add: return .int(left + right)
      case .subtract: return .int(left - right)
      case .multiply: return .int(left * right)
      case .divide: return .int(left / right)
      case .remainder: return .int(left % right)
      }
    case .negated(let operand):
      guard case .int(let value) = try value(of: operand, row, entity) else { return .null }
      return .int(-value)
    case .length(let operand):
      return QueryOracle.text(try value(of: operand, row, entity)).map { .int(Int64($0.count)) } ?? .null
    case .coalesce(let first, let second):
      let value = try value(of: first, row, entity)
      return value == .null ? try self.value(of: second, row, entity) : value
    case .conditional(let condition, let first, let second):
      return try value(of: isTrue(condition, row, entity) ? first : second, row, entity)
    case .truth(let condition): return .bool(try isTrue(condition, row, entity))
    }
  }

  private func members(
    of relationship: Relationship, _ row: RowNumber, _ entity: Entity, _ condition: Condition
  ) throws -> [RowNumber] {
    let destination = catalog.entities[relationship.direction.destinationSlot]
    return try (stored(row, entity).members[relationship.name] ?? []).filter { try isTrue(condition, $0, destination) }
  }

  private func stored(_ row: RowNumber, _ entity: Entity) -> QueryWorld.Row {
    world.rows[entity.name]?[Int(row.rawValue) - 1] ?? QueryWorld.Row()
  }

  private func rows(of entity: Entity) -> [RowNumber] {
    (world.rows[entity.name] ?? []).indices.map { RowNumber(rawValue: UInt64($0 + 1)) }
  }

  // MARK: Values

  private static func text(_ value: FieldValue) -> String? {
    switch value {
    case .string(let text), .url(let text): text
    default: nil
    }
  }

  private static func holds(_ comparison: Comparison, _ left: FieldValue, _ right: FieldValue) -> Bool {
    if left == .null || right == .null {
      let isEqual = left == .null && right == .null
      return comparison == .equal ? isEqual : comparison == .notEqual ? !isEqual : false
    }
    if case .date(let left) = left, case .date(let right) = right { return holds(comparison, left, right) }
    guard let order = order(left, right) else { return comparison == .notEqual }
    switch comparison {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    }
  }

  private static func holds(_ comparison: Comparison, _ left: Date, _ right: Date) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }

  /// The order of two values; nil when there is none.
  private static func order(_ left: FieldValue, _ right: FieldValue) -> Int? {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
    case (.int(let left), .int(let right)): return order(left, right)
    case (.uint(let left), .uint(let right)): return order(left, right)
    case (.int(let left), .uint(let right)): return left < 0 ? -1 : order(UInt64(left), right)
    case (.uint, .int): return order(right, left).map { -$0 }
    case (.double(let left), .double(let right)): return order(left, right)
    case (.float(let left), .float(let right)): return order(left, right)
    case (.float(let left), .double(let right)): return order(Double(left), right)
    case (.double(let left), .float(let right)): return order(left, Double(right))
    case (.int(let left), .double(let right)):
      // A number with a fraction is so small that all integers around it are doubles.
      return right == right.rounded() && abs(right) < 1e30
        ? order(Int128(left), Int128(right)) : order(Double(left), right)
    case (.uint(let left), .double(let right)):
      return right == right.rounded() && abs(right) < 1e30
        ? order(Int128(left), Int128(right)) : order(Double(left), right)
    case (.int, .float(let right)), (.uint, .float(let right)): return order(left, .double(Double(right)))
    case (.double, .int), (.double, .uint), (.float, .int), (.float, .uint): return order(right, left).map { -$0 }
    case (.decimal(let left), .decimal(let right)): return order(left, right)
    case (.decimal(let left), .int(let right)): return left.isNaN ? -1 : order(left, Decimal(right))
    case (.decimal(let left), .uint(let right)): return left.isNaN ? -1 : order(left, Decimal(right))
    case (.date(let left), .date(let right)): return order(left, right)
    case (.uuid(let left), .uuid(let right)): return order(left, right)
    case (.data(let left), .data(let right)):
      return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    default:
      guard let left = text(left), let right = text(right) else { return nil }
      return left == right ? 0 : left.composed < right.composed ? -1 : 1
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int? {
    left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
  }

  /// The order of two values of one field or calculation when rows are sorted: nulls first, NaN last (a decimal one first).
  private static func sortOrder(_ left: FieldValue, _ right: FieldValue) -> Int {
    if left == .null || right == .null { return (left == .null ? 0 : 1) - (right == .null ? 0 : 1) }
    return order(left, right) ?? ((left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0))
  }

  private static func matches(_ match: TextMatch, _ text: String, _ pattern: String) -> Bool {
    let text = Array(match.folding.fold(text))
    let pattern = Array(match.folding.fold(pattern))
    let starts = text.count < pattern.count ? [] : Array(0...(text.count - pattern.count))
    let found = starts.filter { Array(text[$0..<$0 + pattern.count]) == pattern }
    switch match.place {
    case .contains: return !found.isEmpty
    case .hasPrefix: return found.first == 0
    case .hasSuffix: return found.last == text.count - pattern.count && !found.isEmpty
    case .equals: return text == pattern
    }
  }
}

extension FieldValue {
  fileprivate var isNaN: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .float(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

extension String {
  /// Composed by Foundation, to check what the keys of the store are made of.
  fileprivate var composed: String { precomposedStringWithCanonicalMapping }
}
