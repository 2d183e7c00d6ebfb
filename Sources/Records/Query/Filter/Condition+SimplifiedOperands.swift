extension Condition {
  static func simplifiedIsNull(_ operand: Operand) -> Condition {
    switch operand {
    case .constant(let value): value.isNull ? .always : .never
    case .destination(let relationship, let operand):
      // It has no value unless the relationship leads to a row that has one.
      Condition.not(.destination(relationship, .not(.isNull(operand)))).simplified()
    case .coalesce(let first, let second): Condition.all([.isNull(first), .isNull(second)]).simplified()
    case .memberCount, .truth: .never
    default: .isNull(operand)
    }
  }

  static func simplifiedOneOf(_ operand: Operand, _ values: [FieldValue]) -> Condition {
    if case .constant(let value) = operand {
      return values.contains { value.matches(.equal, $0) } ? .always : .never
    }
    if values.isEmpty { return .never }
    if values.count == 1 { return simplifiedCompare(operand, .equal, .constant(values[0])) }
    guard case .destination(let relationship, let inner) = operand else { return .oneOf(operand, values) }
    let present = Condition.destination(relationship, .oneOf(inner, values.filter { !$0.isNull }))
    return values.contains(where: \.isNull)
      ? Condition.any([.isNull(operand), present]).simplified() : present.simplified()
  }

  static func simplifiedCompare(_ left: Operand, _ comparison: Comparison, _ right: Operand) -> Condition {
    switch (left, right) {
    case (.constant(let left), .constant(let right)): left.matches(comparison, right) ? .always : .never
    case (.constant, _): simplifiedCompare(right, comparison.flipped, left)
    case (_, .constant(.null)):
      switch comparison {
      case .equal: simplifiedIsNull(left)
      case .notEqual: Condition.not(.isNull(left)).simplified()
      default: .never
      }
    case (.truth(let condition), .constant(.bool(let value))) where comparison == .equal:
      (value ? condition : .not(condition)).simplified()
    case (.destination, .constant), (.coalesce, .constant):
      comparison == .notEqual
        ? Condition.not(simplifiedCompare(left, .equal, right)).simplified()
        : simplifiedPresent(left, comparison, right)
    default: .compare(left, comparison, right)
    }
  }

  /// A comparison with a constant that a null makes false.
  private static func simplifiedPresent(_ left: Operand, _ comparison: Comparison, _ right: Operand) -> Condition {
    switch left {
    case .destination(let relationship, let inner):
      Condition.destination(relationship, .compare(inner, comparison, right)).simplified()
    case .coalesce(let first, let second) where first.isCheap:
      Condition.any([
        .compare(first, comparison, right), .all([.isNull(first), .compare(second, comparison, right)]),
      ]).simplified()
    default: .compare(left, comparison, right)
    }
  }
}

extension Operand {
  /// Whether the operand is only read, so that it may be evaluated twice.
  fileprivate var isCheap: Bool {
    switch self {
    case .field, .constant: true
    case .destination(_, let operand): operand.isCheap
    default: false
    }
  }
}
