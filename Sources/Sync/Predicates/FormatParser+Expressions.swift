import Foundation

extension FormatParser {
  mutating func sum() throws(PredicateFormatError) -> Term {
    try chain([("+", .add), ("-", .subtract)]) { parser throws(PredicateFormatError) in try parser.product() }
  }

  private mutating func product() throws(PredicateFormatError) -> Term {
    try chain([("*", .multiply), ("/", .divide)]) { parser throws(PredicateFormatError) in try parser.unary() }
  }

  /// Operands with operators of one rank between them, from left to right.
  private mutating func chain(
    _ operators: [(sign: String, operation: ObjectExpression.ArithmeticOperation)],
    _ operand: (inout FormatParser) throws(PredicateFormatError) -> Term
  ) throws(PredicateFormatError) -> Term {
    let start = token
    var result = try operand(&self)
    var count = 0
    // The result of each is the left side of the next, so a long chain is a deep tree.
    defer { for _ in 0..<count { leave() } }
    while let next = operators.first(where: { token.kind == .sign($0.sign) }) {
      advance()
      try enter()
      count += 1
      let left = try asExpression(result, at: start)
      let rightStart = token
      result = .expression(.arithmetic(left, next.operation, try asExpression(operand(&self), at: rightStart)))
    }
    return result
  }

  private mutating func unary() throws(PredicateFormatError) -> Term {
    guard take("-") else { return try primary() }
    if case .number(let value) = token.kind, let negative = value.negative {
      advance()
      return .expression(.value(negative))
    }
    try enter()
    defer { leave() }
    let start = token
    return .expression(.negated(try asExpression(unary(), at: start)))
  }

  private mutating func primary() throws(PredicateFormatError) -> Term {
    switch token.kind {
    case .sign("("):
      advance()
      let term = try or()
      try expect(")")
      return term
    case .sign("{"):
      advance()
      return .expression(try list())
    case .number(let value):
      advance()
      return .expression(.value(value))
    case .string(let text):
      advance()
      return .expression(.value(.string(text)))
    case .placeholder(let specifier):
      let argument = try argument(for: specifier)
      advance()
      guard case .keyPath(let path) = argument, specifier == "K" else { return .expression(argument) }
      return .expression(try pathTail(path))
    case .identifier(let name):
      if let variable = variables.last { throw unsupported("\(name) without $\(variable) in front") }
      advance()
      if token.kind == .sign("(") { throw unsupported("the function \(name)") }
      return .expression(try pathTail(name))
    case .variable(let name): return .expression(try variable(name))
    case .keyword(let word): return .expression(try value(of: word))
    default: throw unexpected("a name or a value")
    }
  }

  private mutating func value(of word: FormatKeyword) throws(PredicateFormatError) -> ObjectExpression {
    switch word {
    case .null, .nil:
      advance()
      return .null
    case .true, .yes:
      advance()
      return .value(.boolean(true))
    case .false, .no:
      advance()
      return .value(.boolean(false))
    case .selfObject:
      if let variable = variables.last { throw unsupported("SELF in the place of $\(variable)") }
      advance()
      return take(".") ? try pathTail(step()) : .selfObject
    case .cast:
      advance()
      return .value(try cast())
    case .subquery:
      advance()
      return try subquery()
    default: throw unexpected("a name or a value")
    }
  }

  private mutating func list() throws(PredicateFormatError) -> ObjectExpression {
    try enter()
    defer { leave() }
    var elements: [ObjectExpression] = []
    if take("}") { return .list([]) }
    repeat {
      let start = token
      elements.append(try asExpression(sum(), at: start))
    } while take(",")
    try expect("}")
    return .list(elements)
  }

  // MARK: Paths

  /// What follows a path's first name: further names, and at its end an operator on collections.
  private mutating func pathTail(_ first: String) throws(PredicateFormatError) -> ObjectExpression {
    var path = first
    while take(".") {
      if take("@") { return try collection(path) }
      path += "." + (try step())
    }
    if token.kind == .sign("[") { throw unsupported("an index") }
    return .keyPath(path)
  }

  /// A name behind a point, where keywords are names.
  private mutating func step() throws(PredicateFormatError) -> String {
    switch token.kind {
    case .identifier(let name):
      advance()
      return name
    case .keyword:
      let name = token.spelling
      advance()
      return name
    default: throw unexpected("a name behind the point")
    }
  }

  private mutating func collection(_ path: String) throws(PredicateFormatError) -> ObjectExpression {
    guard case .identifier(let name) = token.kind else { throw unexpected("count, min or max behind @") }
    guard let operation = ObjectExpression.CollectionOperation(rawValue: name) else { throw unsupported("@\(name)") }
    advance()
    if operation == .count { return .collection(path: path, operation: .count, member: nil) }
    guard take(".") else { throw unexpected("a point and the name of an attribute") }
    var member = try step()
    while take(".") { member += "." + (try step()) }
    return .collection(path: path, operation: operation, member: member)
  }

  private mutating func variable(_ name: String) throws(PredicateFormatError) -> ObjectExpression {
    guard variables.last == name else { throw unsupported("the variable $\(name)") }
    advance()
    return take(".") ? try pathTail(step()) : .selfObject
  }

  private mutating func subquery() throws(PredicateFormatError) -> ObjectExpression {
    try expect("(")
    let pathStart = token
    let term = try asExpression(sum(), at: pathStart)
    guard case .keyPath(let path) = term else {
      throw .unexpected(position: position(of: pathStart), found: pathStart.text, expected: "a to-many relationship")
    }
    try expect(",")
    guard case .variable(let name) = token.kind else { throw unexpected("a variable such as $x") }
    advance()
    try expect(",")
    variables.append(name)
    defer { variables.removeLast() }
    let condition = try or()
    let predicate = try asPredicate(condition)
    try expect(")")
    guard take("."), take("@"), token.kind == .identifier("count") else { throw unexpected(".@count") }
    advance()
    return .count(path: path, of: predicate)
  }

  // MARK: Values of other types

  private mutating func cast() throws(PredicateFormatError) -> AttributeValue {
    try expect("(")
    let start = token
    let isNegative = take("-")
    let text: String
    switch token.kind {
    case .string(let value) where !isNegative: text = value
    case .number(let value): text = (isNegative ? value.negative ?? value : value).numberText
    default: throw unexpected("a text or a number")
    }
    advance()
    try expect(",")
    guard case .string(let type) = token.kind else { throw unexpected("the name of a type in quotation marks") }
    guard let value = AttributeValue(cast: text, to: type) else {
      throw .unexpected(position: position(of: start), found: start.text, expected: "a value of the type \(type)")
    }
    advance()
    try expect(")")
    return value
  }
}
