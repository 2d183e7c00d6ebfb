import Records

/// What stands on one side of a comparison.
enum PredicateSide {
  /// A property.
  case path(PredicatePath)
  /// A value that is calculated for each row.
  case calculated(Operand, PredicateKind)
  /// The least or greatest of the values that a path leads to.
  case extremum(ObjectExpression.CollectionOperation, PredicatePath)
  /// A value, an object, nothing, or a list of these.
  case constant(ObjectExpression)

  /// What messages call it.
  var text: String {
    switch self {
    case .path(let path): path.kind.rawValue
    case .calculated(_, let kind): kind.rawValue
    case .extremum(_, let path): path.kind.rawValue
    case .constant(.value(let value)): PredicateKind(value).rawValue
    case .constant(.object(let id)): "an object of \(id.entityName)"
    case .constant(.list): PredicateKind.list.rawValue
    case .constant: PredicateKind.null.rawValue
    }
  }
}

extension PredicatePath {
  var kind: PredicateKind {
    switch leaf {
    case .attribute(let attribute): PredicateKind(attribute.type)
    case .length: .number
    case .object: .object
    }
  }

  /// The value at the end of to-one relationships; null where one of them leads nowhere.
  func operand(behind hops: ArraySlice<Relationship>) -> Operand {
    var hops = hops
    let base: Operand
    switch leaf {
    case .attribute(let attribute): base = .field(attribute.field)
    case .length(let attribute): base = .length(.field(attribute.field))
    case .object:
      // The number of the row that the last relationship leads to.
      guard let field = hops.popLast()?.field else { return .constant(.null) }
      base = .field(field)
    }
    return hops.reversed().reduce(base) { .destination($1, $0) }
  }
}

extension PredicateCompiler {
  func side(_ expression: ObjectExpression, depth: Int) throws(ObjectPredicateError) -> PredicateSide {
    if depth == PredicateCompiler.depthMax { throw .tooDeep(max: PredicateCompiler.depthMax) }
    switch expression {
    case .null, .value, .object, .list: return .constant(expression)
    case .selfObject: return .path(.object)
    case .keyPath(let text): return .path(try path(text))
    case .collection(let text, .count, _): return .calculated(try count(text, of: nil, depth: depth), .number)
    case .collection(let text, let operation, let member):
      let path = try path(member.map { "\(text).\($0)" } ?? text)
      guard path.hops.filter(\.isToMany).count == 1, path.kind != .object, path.kind.isOrdered else {
        throw .unsupported(
          comparison: expression.description, reason: "@\(operation.rawValue) is for values of one to-many relationship"
        )
      }
      return .extremum(operation, path)
    case .count(let text, let predicate):
      return .calculated(try count(text, of: predicate, depth: depth), .number)
    case .arithmetic(let left, let operation, let right):
      return .calculated(
        .arithmetic(
          try number(left, in: expression, depth: depth), operation.stored,
          try number(right, in: expression, depth: depth)), .number)
    case .negated(let operand):
      return .calculated(.negated(try number(operand, in: expression, depth: depth)), .number)
    }
  }

  private func number(
    _ expression: ObjectExpression, in whole: ObjectExpression, depth: Int
  ) throws(ObjectPredicateError) -> Operand {
    let side = try side(expression, depth: depth + 1)
    switch side {
    case .path(let path) where path.isToMany: throw .severalValues(path: path.text)
    case .path(let path) where path.kind == .number: return path.operand(behind: path.hops[...])
    case .calculated(let operand, .number): return operand
    case .constant(.value(let value)):
      if let number = value.fieldValue(comparableTo: .number) { return .constant(number) }
    default: break
    }
    throw .unsupported(comparison: whole.description, reason: "\(expression.description) is \(side.text) and no number")
  }

  /// How many members a to-many relationship has, or of how many a predicate is true.
  private func count(_ text: String, of predicate: ObjectPredicate?, depth: Int) throws(ObjectPredicateError) -> Operand
  {
    let path = try path(text)
    guard let members = path.hops.last, members.isToMany, path.kind == .object,
      !path.hops.dropLast().contains(where: \.isToMany)
    else {
      throw .unsupported(comparison: "\(text).@count", reason: "it is no single to-many relationship")
    }
    var condition = Condition.always
    if let predicate { condition = try compiler(at: text).condition(predicate, depth: depth + 1) }
    let count = Operand.memberCount(members, where: condition)
    let owners = path.hops.dropLast()
    if owners.isEmpty { return count }
    // What leads nowhere has no members.
    return .coalesce(owners.reversed().reduce(count) { .destination($1, $0) }, .constant(.int(0)))
  }
}

extension ObjectExpression.ArithmeticOperation {
  fileprivate var stored: Arithmetic {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide: .divide
    }
  }
}
