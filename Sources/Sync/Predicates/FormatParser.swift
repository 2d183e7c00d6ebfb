/// Reads a predicate's format by recursive descent: one function for each rule of the grammar in docs/predicate-format.md.
///
/// A bracket may begin a predicate or an expression, which shows only later. So the functions below `or` give either, and it
/// is checked which one it is where it has to be one of them.
struct FormatParser {
  /// How deep a predicate may be nested. Trees are walked recursively, and this keeps them far from the end of any stack.
  static let depthMax = 100

  /// What a rule has read.
  enum Term {
    case predicate(ObjectPredicate)
    case expression(ObjectExpression)
  }

  private let format: String
  private let tokens: [FormatToken]
  private var index = 0
  private var arguments: FormatArguments
  private var depth = 0
  /// The variables of the subqueries around, the innermost last.
  var variables: [String] = []

  init(_ format: String, _ arguments: [Any?]) throws(PredicateFormatError) {
    self.format = format
    self.arguments = FormatArguments(arguments)
    tokens = try FormatLexer.tokens(of: format)
  }

  /// The whole text.
  mutating func predicate() throws(PredicateFormatError) -> ObjectPredicate {
    let term = try or()
    let result = try asPredicate(term)
    guard token.kind == .end else { throw unexpected("AND, OR or the end") }
    try arguments.checkAllUsed()
    return result
  }

  // MARK: Rules for predicates

  mutating func or() throws(PredicateFormatError) -> Term {
    try enter()
    defer { depth -= 1 }
    let first = try and()
    var parts: [ObjectPredicate] = []
    while token.kind == .keyword(.or) || token.kind == .sign("||") {
      if parts.isEmpty { parts.append(try asPredicate(first)) }
      advance()
      let next = try and()
      parts.append(try asPredicate(next))
    }
    return parts.isEmpty ? first : .predicate(.or(parts))
  }

  private mutating func and() throws(PredicateFormatError) -> Term {
    let first = try not()
    var parts: [ObjectPredicate] = []
    while token.kind == .keyword(.and) || token.kind == .sign("&&") {
      if parts.isEmpty { parts.append(try asPredicate(first)) }
      advance()
      let next = try not()
      parts.append(try asPredicate(next))
    }
    return parts.isEmpty ? first : .predicate(.and(parts))
  }

  private mutating func not() throws(PredicateFormatError) -> Term {
    guard take(.not) || take("!") else { return try comparison() }
    try enter()
    defer { depth -= 1 }
    let term = try not()
    return .predicate(.not(try asPredicate(term)))
  }

  private mutating func comparison() throws(PredicateFormatError) -> Term {
    let start = token
    if take(.truePredicate) { return .predicate(.constant(true)) }
    if take(.falsePredicate) { return .predicate(.constant(false)) }
    let isNone = take(.none)
    let modifier: ObjectPredicate.Modifier =
      isNone || take(.any) || take(.some) ? .any : take(.all) ? .all : .direct
    let leftStart = token
    let term = try sum()
    guard let operation = try self.operation() else {
      if modifier != .direct { throw unexpected("an operator such as == behind \(start.text)") }
      return term
    }
    let left = try asExpression(term, at: leftStart)
    let options = try self.options()
    let rightStart = token
    let right = try asExpression(sum(), at: rightStart)
    let comparison = ObjectPredicate.comparison(
      ObjectPredicate.Comparison(left, operation, right, modifier: modifier, options: options))
    return .predicate(isNone ? .not(comparison) : comparison)
  }

  private mutating func operation() throws(PredicateFormatError) -> ObjectPredicate.Operation? {
    let operation: ObjectPredicate.Operation
    switch token.kind {
    case .sign("=="), .sign("="): operation = .equal
    case .sign("!="), .sign("<>"): operation = .notEqual
    case .sign("<"): operation = .less
    case .sign("<="), .sign("=<"): operation = .lessOrEqual
    case .sign(">"): operation = .greater
    case .sign(">="), .sign("=>"): operation = .greaterOrEqual
    case .keyword(.beginsWith): operation = .beginsWith
    case .keyword(.endsWith): operation = .endsWith
    case .keyword(.contains): operation = .contains
    case .keyword(.like): operation = .like
    case .keyword(.isIn): operation = .isIn
    case .keyword(.between): operation = .between
    case .keyword(.matches): throw unsupported("a regular expression")
    default: return nil
    }
    advance()
    return operation
  }

  private mutating func options() throws(PredicateFormatError) -> ObjectPredicate.Options {
    guard take("[") else { return [] }
    var options: ObjectPredicate.Options = []
    guard case .identifier(let letters) = token.kind else { throw unexpected("c, d or cd") }
    for letter in letters {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      default: throw unexpected("c, d or cd")
      }
    }
    advance()
    try expect("]")
    return options
  }

  // MARK: What rules are made of

  var token: FormatToken { tokens[index] }

  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  /// Whether a keyword is next, which is then behind.
  mutating func take(_ keyword: FormatKeyword) -> Bool {
    guard token.kind == .keyword(keyword) else { return false }
    advance()
    return true
  }

  /// Whether a sign is next, which is then behind.
  mutating func take(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws(PredicateFormatError) {
    if !take(sign) { throw unexpected(sign) }
  }

  mutating func enter() throws(PredicateFormatError) {
    if depth == FormatParser.depthMax {
      throw .tooDeep(position: position(of: token), max: FormatParser.depthMax)
    }
    depth += 1
  }

  mutating func leave() { depth -= 1 }

  /// The next argument, which has to fit a placeholder.
  mutating func argument(for specifier: String) throws(PredicateFormatError) -> ObjectExpression {
    try arguments.next(for: specifier, position: position(of: token))
  }

  /// A term that was read last, as a predicate. A value that is none lacks an operator, at its end.
  func asPredicate(_ term: Term) throws(PredicateFormatError) -> ObjectPredicate {
    guard case .predicate(let predicate) = term else { throw unexpected("an operator such as ==") }
    return predicate
  }

  /// A term that begins at a token, as a value.
  func asExpression(_ term: Term, at start: FormatToken) throws(PredicateFormatError) -> ObjectExpression {
    guard case .expression(let expression) = term else {
      throw .unexpected(position: position(of: start), found: "a predicate", expected: "a value")
    }
    return expression
  }

  func position(of token: FormatToken) -> Int {
    String(format.unicodeScalars.prefix(token.offset)).count
  }

  func unexpected(_ expected: String) -> PredicateFormatError {
    .unexpected(position: position(of: token), found: token.text, expected: expected)
  }

  func unsupported(_ what: String) -> PredicateFormatError {
    .unsupported(position: position(of: token), what: what)
  }
}
