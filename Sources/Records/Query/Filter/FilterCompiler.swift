import FoundationEssentials

/// Makes the program of a condition, from its end to its beginning: a test is added when it is known where to go on after it.
struct FilterCompiler {
  private(set) var code = FilterCode()
  let catalog: Catalog

  init(_ catalog: Catalog) {
    self.catalog = catalog
  }

  /// Adds a condition on rows of an entity and returns where it starts.
  mutating func compile(
    _ condition: Condition, of entity: Entity, whenTrue: FilterCode.Entry, whenFalse: FilterCode.Entry
  ) throws -> FilterCode.Entry {
    switch condition {
    case .always: return whenTrue
    case .never: return whenFalse
    case .not(let condition): return try compile(condition, of: entity, whenTrue: whenFalse, whenFalse: whenTrue)
    case .all(let parts):
      return try parts.cheapestFirst.reversed().reduce(whenTrue) { next, part in
        try compile(part, of: entity, whenTrue: next, whenFalse: whenFalse)
      }
    case .any(let parts):
      return try parts.cheapestFirst.reversed().reduce(whenFalse) { next, part in
        try compile(part, of: entity, whenTrue: whenTrue, whenFalse: next)
      }
    case .compare(let left, .notEqual, let right):
      return try compile(.compare(left, .equal, right), of: entity, whenTrue: whenFalse, whenFalse: whenTrue)
    default:
      guard let test = try test(for: condition, of: entity) else { return whenFalse }
      code.steps.append(FilterCode.Step(test: test, whenTrue: whenTrue, whenFalse: whenFalse))
      return FilterCode.Entry(code.steps.count - 1)
    }
  }

  /// The test for a condition that is not made of others; nil when it is never true.
  private mutating func test(for condition: Condition, of entity: Entity) throws -> FilterCode.Test? {
    switch condition {
    case .isNull(.field(let field)): return .isNull(try checked(field, of: entity))
    case .compare(.field(let field), let comparison, .constant(let value)):
      return try test(for: condition, field: checked(field, of: entity), comparison, value, of: entity)
    case .compare(.memberCount(let relationship, let condition), let comparison, .constant(.int(let count))):
      let members = try members(of: relationship, meeting: condition, entity)
      return add(FilterCode.MemberTest(members: members, comparison: comparison, count: count))
    case .oneOf(.field(let field), let values):
      return try test(for: condition, field: checked(field, of: entity), isOneOf: values, of: entity)
    case .text(.field(let field), let match, .constant(.string(let pattern))):
      let place = try checked(field, of: entity)
      guard entity.layout.fields[field].kind.isText else { return nil }
      if entity.mayLieOutside(field) { return try valueTest(for: condition, of: entity) }
      code.patterns.append(TextPattern(match, pattern))
      return .matches(place, pattern: Int32(code.patterns.count - 1))
    case .isRow(let rows):
      if rows.count == 1 { return .isRow(rows[0]) }
      code.rowLists.append(rows.sorted())
      return .isListedRow(list: Int32(code.rowLists.count - 1))
    case .destination(let relationship, let condition):
      return try test(for: relationship, leadsTo: condition, entity)
    case .anyMember(let relationship, let condition):
      let members = try members(of: relationship, meeting: condition, entity)
      return add(FilterCode.MemberTest(members: members, comparison: .greater, count: 0))
    case .allMembers(let relationship, let condition):
      let members = try members(of: relationship, meeting: .not(condition), entity)
      return add(FilterCode.MemberTest(members: members, comparison: .equal, count: 0))
    default: return try valueTest(for: condition, of: entity)
    }
  }

  private mutating func test(
    for condition: Condition, field: Int32, _ comparison: Comparison, _ value: FieldValue, of entity: Entity
  ) throws -> FilterCode.Test? {
    if value.isNull { return comparison == .equal ? .isNull(field) : nil }
    if entity.mayLieOutside(Int(field)) { return try valueTest(for: condition, of: entity) }
    let kind = entity.layout.fields[Int(field)].kind
    switch FieldComparison(kind, comparison, value) {
    case .never: return nil
    case .present:
      // True whenever there is a value, and there is none that is less than the least.
      if kind == .date { return .date(field, .greaterOrEqual, Date(timeIntervalSinceReferenceDate: -.infinity)) }
      return kind.isSigned ? .signed(field, .greaterOrEqual, .min) : .unsigned(field, .greaterOrEqual, .min)
    case .bool(let comparison, let value): return .bool(field, comparison, value)
    case .signed(let comparison, let value): return .signed(field, comparison, value)
    case .unsigned(let comparison, let value): return .unsigned(field, comparison, value)
    case .floating(let comparison, let value): return .floating(field, comparison, value)
    case .date(let comparison, let value): return .date(field, comparison, value)
    case .text(let comparison, let text): return .text(field, comparison, add(text.composed.utf8))
    case .key(let comparison, let key): return .key(field, comparison, add(key))
    case nil: return try valueTest(for: condition, of: entity)
    }
  }

  private mutating func test(
    for condition: Condition, field: Int32, isOneOf values: [FieldValue], of entity: Entity
  ) throws -> FilterCode.Test? {
    if entity.mayLieOutside(Int(field)) { return try valueTest(for: condition, of: entity) }
    var keys: [[UInt8]] = []
    for value in values {
      guard let key = entity.layout.fields[Int(field)].kind.keys(equalTo: value) else {
        return try valueTest(for: condition, of: entity)
      }
      keys += key
    }
    if keys.isEmpty { return nil }
    code.lists.append(ValueList(keys))
    return .isListed(field, list: Int32(code.lists.count - 1))
  }

  private mutating func test(
    for relationship: Relationship, leadsTo condition: Condition, _ entity: Entity
  ) throws -> FilterCode.Test? {
    let (field, destination) = try hop(over: relationship, from: entity)
    switch condition {
    case .isRow(let rows):
      // The link itself tells, so the row that it leads to is not read.
      return try test(for: .oneOf(.field(field), rows.map { .uint($0.rawValue) }), of: entity)
    default:
      let entry = try compile(
        condition, of: destination, whenTrue: FilterCode.isTrue, whenFalse: FilterCode.isFalse)
      code.hops.append(FilterCode.Hop(field: field, entity: destination, entry: entry))
      return .hop(Int32(code.hops.count - 1))
    }
  }

  private mutating func valueTest(for condition: Condition, of entity: Entity) throws -> FilterCode.Test? {
    switch condition {
    case .isNull(let operand): return add(.isNull(try value(of: operand, entity)))
    case .compare(let left, let comparison, let right):
      return add(.compare(try value(of: left, entity), comparison, try value(of: right, entity)))
    case .oneOf(let operand, let values): return add(.oneOf(try value(of: operand, entity), values))
    case .text(let operand, let match, let pattern):
      return add(.text(try value(of: operand, entity), match, try value(of: pattern, entity)))
    default: return nil
    }
  }

  private mutating func add(_ test: FilterCode.MemberTest) -> FilterCode.Test {
    code.memberTests.append(test)
    return .members(Int32(code.memberTests.count - 1))
  }

  private mutating func add(_ test: FilterCode.ValueTest) -> FilterCode.Test {
    code.valueTests.append(test)
    return .values(Int32(code.valueTests.count - 1))
  }

  private mutating func add(_ bytes: some Collection<UInt8>) -> FilterCode.Constant {
    defer { code.constants += bytes }
    return FilterCode.Constant(start: Int32(code.constants.count), count: Int32(bytes.count))
  }
}
