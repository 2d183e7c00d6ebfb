import Records

/// What an expression means for the rows of an entity: a value for each of them, by cases.
struct Term {
  /// Conditions of which exactly one is true of any row that is not `unsure`, with the value for those rows.
  var cases: [Case]
  /// The rows for which the cases say nothing, because the expression has no value there or it takes Swift code to tell.
  var unsure: Condition

  struct Case {
    var condition: Condition
    var value: Denotation
  }

  /// One of the things that an expression can stand for. Only `none` is nil.
  enum Denotation {
    case none
    case constant(Any)
    /// A value that the store can compute, and whether it is the property's own value or an enum's raw value.
    case operand(Operand, isRaw: Bool)
    case truth(Condition)
    /// The object at the end of a path.
    case object(RowPath)
    /// The identifier of the object at the end of a path.
    case identifier(RowPath)
    /// The members of a to-many relationship of the row at the end of a path, if they meet a condition.
    case members(RowPath, Relationship, Condition)
    /// A value of which nothing is known but that it is there.
    case unknown
  }

  /// More cases than this are not worth their combinations.
  private static let casesMax = 8

  init(_ value: Denotation, unsure: Condition = .never) {
    cases = [Case(condition: .always, value: value)]
    self.unsure = unsure
  }

  init(_ cases: [Case], unsure: Condition = .never) {
    self.cases = cases.filter { if case .never = $0.condition { false } else { true } }
    self.unsure = unsure
    if self.cases.count > Term.casesMax { self = .unknown }
  }

  /// Something that the store knows nothing of.
  static var unknown: Term { Term([], unsure: .always) }

  /// A value that is there in some rows and missing in the others.
  static func optional(_ value: Denotation, isThere: Condition, isMissing: Condition) -> Term {
    Term([Case(condition: isThere, value: value), Case(condition: isMissing, value: .none)])
  }

  /// A value that is the same in every row.
  static func constant(_ value: Any) -> Term {
    guard let optional = value as? any AnyOptional else { return Term(.constant(value)) }
    return Term(optional.wrapped.map { .constant($0) } ?? .none)
  }

  /// The value of a constant expression, or of one that is a constant in every row; nil for anything else.
  var constant: Any? {
    guard cases.count == 1, case .constant(let value) = cases[0].value else { return nil }
    return value
  }

  /// The term with every case replaced by what a closure makes of its value.
  func map(_ transform: (Denotation) -> Term) -> Term {
    var result: [Case] = []
    var unsure = unsure
    for part in cases {
      let mapped = transform(part.value)
      result += mapped.cases.map { Case(condition: .both(part.condition, $0.condition), value: $0.value) }
      unsure = .either(unsure, .both(part.condition, mapped.unsure))
    }
    return Term(result, unsure: unsure)
  }

  /// What a closure makes of every pair of this term's values with another's.
  func combined(with other: Term, _ transform: (Denotation, Denotation) -> Term) -> Term {
    map { left in
      other.map { right in transform(left, right) }
    }
  }

  /// Where the expression, a Boolean one, is true.
  var truth: Judgement {
    var holds = Condition.never
    var unsure = unsure
    for part in cases {
      switch part.value {
      case .constant(let value):
        if value as? Bool == true { holds = .either(holds, part.condition) }
      case .truth(let condition):
        holds = .either(holds, .both(part.condition, condition))
      case .operand(let operand, isRaw: false):
        holds = .either(holds, .both(part.condition, .comparing(operand, .equal, .constant(.bool(true)))))
      case .none: break
      case .operand, .object, .identifier, .members, .unknown: unsure = .either(unsure, part.condition)
      }
    }
    return Judgement(holds: holds, unsure: unsure)
  }
}

/// Of which rows a Boolean expression is true.
struct Judgement {
  /// The rows that it is true of, but for those in `unsure`.
  var holds: Condition
  /// The rows of which only evaluating the expression tells.
  var unsure: Condition

  /// The rows that it may be true of.
  var candidates: Condition {
    if case .always = unsure { return .always }
    return .either(holds, unsure)
  }

  var term: Term { Term(.truth(holds), unsure: unsure) }
}
