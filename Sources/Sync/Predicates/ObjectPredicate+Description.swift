extension ObjectPredicate: CustomStringConvertible {
  /// The predicate in its format. Read again, it is the same tree, unless it has objects in it, names that are no identifiers, or
  /// a list of fewer than two parts under `AND` or `OR`.
  public var description: String { text(prefix: "") }

  /// `prefix` stands in front of the names of properties: inside of a subquery its variable.
  func text(prefix: String) -> String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.text(prefix: prefix)
    case .and(let parts): ObjectPredicate.join(parts, "AND", whenEmpty: "TRUEPREDICATE", prefix: prefix)
    case .or(let parts): ObjectPredicate.join(parts, "OR", whenEmpty: "FALSEPREDICATE", prefix: prefix)
    case .not(let predicate): "NOT \(predicate.textAsPart(prefix: prefix))"
    }
  }

  private static func join(
    _ parts: [ObjectPredicate], _ word: String, whenEmpty: String, prefix: String
  ) -> String {
    if parts.isEmpty { return whenEmpty }
    return parts.map { $0.textAsPart(prefix: prefix) }.joined(separator: " \(word) ")
  }

  private func textAsPart(prefix: String) -> String {
    switch self {
    case .and, .or: "(\(text(prefix: prefix)))"
    default: text(prefix: prefix)
    }
  }
}

extension ObjectPredicate.Comparison {
  fileprivate func text(prefix: String) -> String {
    let quantifier = modifier == .direct ? "" : modifier.rawValue + " "
    return
      "\(quantifier)\(left.text(prefix: prefix)) \(operation.rawValue)\(options.text) \(right.text(prefix: prefix))"
  }
}

extension ObjectPredicate.Options {
  fileprivate var text: String {
    if isEmpty { return "" }
    return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}

extension ObjectExpression: CustomStringConvertible {
  /// The expression in the format of predicates.
  public var description: String { text(prefix: "") }

  func text(prefix: String) -> String {
    switch self {
    case .null: "NULL"
    case .value(let value): value.text
    case .object(let id): "<\(id)>"
    case .list(let elements): "{\(elements.map { $0.text(prefix: prefix) }.joined(separator: ", "))}"
    case .selfObject: prefix.isEmpty ? "SELF" : prefix
    case .keyPath(let path): ObjectExpression.name(path, prefix: prefix)
    case .collection(let path, let operation, let member):
      ObjectExpression.name(path, prefix: prefix) + ".@\(operation.rawValue)" + (member.map { ".\($0)" } ?? "")
    case .count(let path, let predicate):
      "SUBQUERY(\(ObjectExpression.name(path, prefix: prefix)), $x, \(predicate.text(prefix: "$x"))).@count"
    case .arithmetic(let left, let operation, let right):
      "(\(left.text(prefix: prefix)) \(operation.rawValue) \(right.text(prefix: prefix)))"
    case .negated(let operand): "-(\(operand.text(prefix: prefix)))"
    }
  }

  /// A path as it is written: behind a variable, or by itself, where a reserved word needs a mark.
  private static func name(_ path: String, prefix: String) -> String {
    if !prefix.isEmpty { return "\(prefix).\(path)" }
    let first = path.prefix { $0 != "." }
    return FormatKeyword(rawValue: first.uppercased()) == nil ? path : "#" + path
  }
}
