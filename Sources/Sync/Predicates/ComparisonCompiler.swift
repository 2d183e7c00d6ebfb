import Records

/// Turns one comparison into a condition.
struct ComparisonCompiler {
  let comparison: ObjectPredicate.Comparison
  let compiler: PredicateCompiler
  let depth: Int
  private let left: PredicateSide
  private let right: PredicateSide

  init(
    _ comparison: ObjectPredicate.Comparison, in compiler: PredicateCompiler, depth: Int
  ) throws(ObjectPredicateError) {
    let left = try compiler.side(comparison.left, depth: depth)
    let right = try compiler.side(comparison.right, depth: depth)
    self.compiler = compiler
    self.depth = depth
    // What depends on the row stands on the left, where that says the same.
    if case .constant = left, let flipped = comparison.flipped, !right.isConstant {
      self.comparison = flipped
      (self.left, self.right) = (right, left)
    } else {
      self.comparison = comparison
      (self.left, self.right) = (left, right)
    }
  }

  func condition() throws(ObjectPredicateError) -> Condition {
    if let other = try rewritten() {
      return try ComparisonCompiler(other, in: compiler, depth: depth).condition()
    }
    switch left {
    case .path(let path):
      if path.isToMany, comparison.modifier == .direct { throw .severalValues(path: path.text) }
      if !path.isToMany, comparison.modifier != .direct { throw .singleValue(path: path.text) }
      if path.kind == .object { return try condition(onObjectsAt: path) }
      let test = ValueTest(self, of: path.kind, right: right, isWithinMembers: path.isToMany)
      return try quantified(path) { hops throws(ObjectPredicateError) in
        try test.condition(on: path.operand(behind: hops))
      }
    case .calculated(let operand, let kind):
      try checkDirect()
      return try ValueTest(self, of: kind, right: right, isWithinMembers: false).condition(on: operand)
    case .constant(let expression):
      try checkDirect()
      guard let (operand, kind) = constantOperand(expression) else { throw incomparable }
      return try ValueTest(self, of: kind, right: right, isWithinMembers: false).condition(on: operand)
    case .extremum(let operation, let path):
      try checkDirect()
      return try condition(onExtremum: operation, of: path)
    }
  }

  /// A comparison that says the same by other means: what is in a text or a relationship.
  private func rewritten() throws(ObjectPredicateError) -> ObjectPredicate.Comparison? {
    var other = comparison
    switch (comparison.operation, left, right) {
    case (.isIn, .path, .constant(.list)), (.isIn, .calculated, .constant(.list)), (.isIn, .constant, .constant(.list)):
      return nil
    case (.isIn, _, .path(let path)) where path.isToMany:
      if comparison.modifier != .direct { throw .singleValue(path: comparison.left.description) }
      (other.left, other.right) = (comparison.right, comparison.left)
      other.operation = .equal
      other.modifier = .any
    case (.isIn, _, .path(let path)) where path.kind.isText:
      (other.left, other.right) = (comparison.right, comparison.left)
      other.operation = .contains
    case (.isIn, _, .constant(.value(.string))) where comparison.modifier == .direct && !left.isToMany:
      (other.left, other.right) = (comparison.right, comparison.left)
      other.operation = .contains
    case (.contains, .path(let path), _) where path.isToMany && comparison.modifier == .direct && !path.kind.isText:
      other.operation = .equal
      other.modifier = .any
    default: return nil
    }
    return other
  }

  /// A condition that says of how many of the values at the end of a path something has to be true.
  private func quantified(
    _ path: PredicatePath, _ test: (ArraySlice<Relationship>) throws(ObjectPredicateError) -> Condition
  ) throws(ObjectPredicateError) -> Condition {
    let last = path.hops.lastIndex(where: \.isToMany)
    let condition = try test(path.hops[(last.map { $0 + 1 } ?? 0)...])
    guard let last else { return condition }
    // What is true of all is false of none.
    let isAll = comparison.modifier == .all
    let some = path.hops[...last].reversed().reduce(isAll ? .not(condition) : condition) { condition, hop in
      hop.isToMany ? .anyMember(hop, condition) : .destination(hop, condition)
    }
    return isAll ? .not(some) : some
  }

  private func checkDirect() throws(ObjectPredicateError) {
    if comparison.modifier != .direct { throw .singleValue(path: comparison.left.description) }
  }

  var text: String { ObjectPredicate.comparison(comparison).description }

  var incomparable: ObjectPredicateError { .incomparable(comparison: text, left: left.text, right: right.text) }

  func unsupported(_ reason: String) -> ObjectPredicateError { .unsupported(comparison: text, reason: reason) }

  func constantOperand(_ expression: ObjectExpression) -> (Operand, PredicateKind)? {
    switch expression {
    case .null: return (.constant(.null), .null)
    case .value(let value):
      let kind = PredicateKind(value)
      return value.fieldValue(comparableTo: kind).map { (.constant($0), kind) }
    default: return nil
    }
  }

  // MARK: Objects

  private func condition(onObjectsAt path: PredicatePath) throws(ObjectPredicateError) -> Condition {
    switch comparison.operation {
    case .equal, .notEqual, .isIn: break
    default: throw unsupported("objects are equal or not, and nothing else")
    }
    if !comparison.options.isEmpty { throw unsupported("[c] and [d] are for texts") }
    if case .path(let other) = right, other.kind == .object, !path.isToMany, !other.isToMany, !path.hops.isEmpty,
      !other.hops.isEmpty, path.hops.last?.destination == other.hops.last?.destination
    {
      let same = Condition.compare(
        path.operand(behind: path.hops[...]), .equal, other.operand(behind: other.hops[...]))
      return comparison.operation == .notEqual ? .not(same) : same
    }
    let objects = try self.objects(comparableTo: path)
    let isNegative = comparison.operation == .notEqual
    return try quantified(path) { hops throws(ObjectPredicateError) in
      let chain = { (end: Condition) in hops.reversed().reduce(end) { .destination($1, $0) } }
      var parts = [chain(.isRow(objects.rows))]
      if objects.hasNull { parts.append(hops.isEmpty ? .never : .not(chain(.always))) }
      return isNegative ? .not(.any(parts)) : .any(parts)
    }
  }

  private func objects(comparableTo path: PredicatePath) throws(ObjectPredicateError) -> (
    rows: [RowNumber], hasNull: Bool
  ) {
    guard case .constant(let expression) = right else { throw incomparable }
    let table = path.hops.last.map { compiler.resolver.catalog[$0.destination]?.name } ?? compiler.stored.table
    let elements: [ObjectExpression]
    if case .list(let list) = expression, comparison.operation == .isIn {
      elements = list
    } else if comparison.operation == .isIn {
      throw incomparable
    } else {
      elements = [expression]
    }
    var rows: [RowNumber] = []
    var hasNull = false
    for element in elements {
      switch element {
      case .null: hasNull = true
      case .object(let id):
        guard compiler.resolver.model.storage.tables[id.entityName]?.first?.table == table else { throw incomparable }
        if let store = compiler.resolver.store, !id.isOf(store) {
          throw unsupported("\(id) is an object of another store")
        }
        rows.append(id.row)
      default: throw incomparable
      }
    }
    return (rows, hasNull)
  }

  // MARK: Least and greatest values

  /// What is greater than a value holds the greatest if anything does, so each comparison is one with all members.
  private func condition(
    onExtremum operation: ObjectExpression.CollectionOperation, of path: PredicatePath
  ) throws(ObjectPredicateError) -> Condition {
    let isMax = operation == .max
    let any = {
      (operation: ObjectPredicate.Operation, right: PredicateSide) throws(ObjectPredicateError) -> Condition in
      let test = ValueTest(self, of: path.kind, right: right, isWithinMembers: true)
      return try quantified(path) { hops throws(ObjectPredicateError) in
        try test.condition(on: path.operand(behind: hops), as: operation)
      }
    }
    let exists = try any(.notEqual, .constant(.null))
    // Nothing is less or greater than nil.
    if right.isNull, comparison.operation != .equal, comparison.operation != .notEqual { return .never }
    let (beyond, orBeyond): (ObjectPredicate.Operation, ObjectPredicate.Operation) =
      isMax ? (.greater, .greaterOrEqual) : (.less, .lessOrEqual)
    let (short, shortOrEqual): (ObjectPredicate.Operation, ObjectPredicate.Operation) =
      isMax ? (.less, .lessOrEqual) : (.greater, .greaterOrEqual)
    switch comparison.operation {
    case .equal, .notEqual:
      var equal = Condition.not(exists)
      if !right.isNull { equal = .all([try any(.equal, right), .not(try any(beyond, right))]) }
      return comparison.operation == .equal ? equal : .not(equal)
    case beyond, orBeyond: return try any(comparison.operation, right)
    case short: return .all([exists, .not(try any(orBeyond, right))])
    case shortOrEqual: return .all([exists, .not(try any(beyond, right))])
    default: throw unsupported("@\(operation.rawValue) is compared with ==, !=, <, <=, > or >=")
    }
  }
}

extension PredicateSide {
  var isConstant: Bool {
    if case .constant = self { return true }
    return false
  }

  var isNull: Bool {
    if case .constant(.null) = self { return true }
    return false
  }

  var isToMany: Bool {
    if case .path(let path) = self { return path.isToMany }
    return false
  }
}

extension ObjectPredicate.Comparison {
  /// The same with its sides exchanged; nil for an operator that has no opposite direction.
  fileprivate var flipped: ObjectPredicate.Comparison? {
    let operation: ObjectPredicate.Operation
    switch self.operation {
    case .equal, .notEqual: operation = self.operation
    case .less: operation = .greater
    case .lessOrEqual: operation = .greaterOrEqual
    case .greater: operation = .less
    case .greaterOrEqual: operation = .lessOrEqual
    default: return nil
    }
    return ObjectPredicate.Comparison(right, operation, left, modifier: modifier, options: options)
  }
}
