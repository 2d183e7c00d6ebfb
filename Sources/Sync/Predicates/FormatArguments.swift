/// Hands out the arguments of a format, one after another.
struct FormatArguments {
  private let arguments: [Any?]
  private var used = 0

  init(_ arguments: [Any?]) {
    self.arguments = arguments
  }

  /// The next argument as what a placeholder stands for: `K` for a path, `@` for any value, all others for numbers.
  mutating func next(for specifier: String, position: Int) throws(PredicateFormatError) -> ObjectExpression {
    guard used < arguments.count else {
      throw .missingArgument(position: position, specifier: "%\(specifier)", number: used + 1)
    }
    let argument = arguments[used]
    used += 1
    let expression = ObjectExpression(argument: argument)
    switch (specifier, expression) {
    case ("@", let expression?): return expression
    case ("K", .value(.string(let path))?) where !path.isEmpty: return .keyPath(path)
    case ("@", nil), ("K", _): break
    case (_, .value(let value)?) where value.isNumber: return .value(value)
    default: break
    }
    let type = argument.map { "\(Swift.type(of: $0))" } ?? "nil"
    throw .wrongArgument(position: position, specifier: "%\(specifier)", number: used, type: type)
  }

  func checkAllUsed() throws(PredicateFormatError) {
    if used < arguments.count { throw .unusedArguments(used: used, given: arguments.count) }
  }
}

extension AttributeValue {
  var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal, .boolean: true
    default: false
    }
  }
}
