import Records

/// What a comparison asks of one value.
struct ValueTest {
  private let owner: ComparisonCompiler
  private let kind: PredicateKind
  private let right: PredicateSide
  /// Whether the value is a member's: then nothing on the right can be the row's own.
  private let isWithinMembers: Bool

  init(_ owner: ComparisonCompiler, of kind: PredicateKind, right: PredicateSide, isWithinMembers: Bool) {
    self.owner = owner
    self.kind = kind
    self.right = right
    self.isWithinMembers = isWithinMembers
  }

  func condition(on operand: Operand) throws(ObjectPredicateError) -> Condition {
    try condition(on: operand, as: owner.comparison.operation)
  }

  func condition(
    on operand: Operand, as operation: ObjectPredicate.Operation
  ) throws(ObjectPredicateError) -> Condition {
    switch operation {
    case .equal: return try equality(operand, right)
    case .notEqual: return .not(try equality(operand, right))
    case .less: return try order(operand, .less, right)
    case .lessOrEqual: return try order(operand, .lessOrEqual, right)
    case .greater: return try order(operand, .greater, right)
    case .greaterOrEqual: return try order(operand, .greaterOrEqual, right)
    case .beginsWith: return try match(operand, .hasPrefix)
    case .endsWith: return try match(operand, .hasSuffix)
    case .contains: return try match(operand, .contains)
    case .like: return try like(operand)
    case .isIn: return try isIn(operand)
    case .between:
      guard case .constant(.list(let bounds)) = right, bounds.count == 2 else {
        throw owner.unsupported("BETWEEN needs a list of two values")
      }
      let least = try owner.compiler.side(bounds[0], depth: owner.depth + 1)
      let greatest = try owner.compiler.side(bounds[1], depth: owner.depth + 1)
      return .all([
        try order(operand, .greaterOrEqual, least), try order(operand, .lessOrEqual, greatest),
      ])
    }
  }

  // MARK: Equal, less, greater

  private func equality(_ operand: Operand, _ side: PredicateSide) throws(ObjectPredicateError) -> Condition {
    if case .constant(.null) = side { return .isNull(operand) }
    if !owner.comparison.options.isEmpty {
      return .text(operand, TextMatch(.equals, try folding()), try self.operand(side))
    }
    if kind == .transformable { throw owner.unsupported("a transformable attribute can only be compared with nil") }
    return .compare(operand, .equal, try self.operand(side))
  }

  private func order(
    _ operand: Operand, _ comparison: Comparison, _ side: PredicateSide
  ) throws(ObjectPredicateError) -> Condition {
    if !owner.comparison.options.isEmpty {
      throw owner.unsupported("[c] and [d] are for equal texts and parts of texts")
    }
    // Nothing is less or greater than nil.
    if case .constant(.null) = side { return .never }
    guard kind.isOrdered else { throw owner.unsupported("\(kind.rawValue) has no order") }
    return .compare(operand, comparison, try self.operand(side))
  }

  private func isIn(_ operand: Operand) throws(ObjectPredicateError) -> Condition {
    guard case .constant(.list(let elements)) = right else { throw owner.incomparable }
    var values: [FieldValue] = []
    var others: [Condition] = []
    for element in elements {
      let side = try owner.compiler.side(element, depth: owner.depth + 1)
      if owner.comparison.options.isEmpty, kind != .transformable, case .constant(.value(let value)) = side,
        let comparable = value.fieldValue(comparableTo: kind)
      {
        values.append(comparable)
      } else {
        others.append(try equality(operand, side))
      }
    }
    if others.isEmpty { return .oneOf(operand, values) }
    return .any(others + (values.isEmpty ? [] : [.oneOf(operand, values)]))
  }

  /// The value on the right, as one of the same kind.
  private func operand(_ side: PredicateSide) throws(ObjectPredicateError) -> Operand {
    switch side {
    case .constant(.value(let value)):
      guard let comparable = value.fieldValue(comparableTo: kind) else { throw incomparable(side) }
      return .constant(comparable)
    case .path(let path):
      if path.isToMany { throw .severalValues(path: path.text) }
      guard path.kind == kind || (path.kind.isText && kind.isText) else { throw incomparable(side) }
      if isWithinMembers { throw owner.unsupported("members are compared with constants only") }
      return path.operand(behind: path.hops[...])
    case .calculated(let operand, let other):
      guard other == kind else { throw incomparable(side) }
      if isWithinMembers { throw owner.unsupported("members are compared with constants only") }
      return operand
    case .extremum: throw owner.unsupported("@min and @max are compared with constants only")
    case .constant: throw incomparable(side)
    }
  }

  private func incomparable(_ side: PredicateSide) -> ObjectPredicateError {
    .incomparable(comparison: owner.text, left: kind.rawValue, right: side.text)
  }

  // MARK: Parts of texts

  private func folding() throws(ObjectPredicateError) -> TextMatch.Folding {
    guard kind.isText else { throw owner.unsupported("[c] and [d] are for texts, and this is \(kind.rawValue)") }
    switch owner.comparison.options {
    case []: return .exact
    case .caseInsensitive: return .caseInsensitive
    case .diacriticInsensitive: throw owner.unsupported("[d] is possible together with c only")
    default: return .localizedStandard
    }
  }

  private func match(_ operand: Operand, _ place: TextMatch.Place) throws(ObjectPredicateError) -> Condition {
    guard kind.isText else { throw owner.incomparable }
    if case .constant(.null) = right { return .never }
    return .text(operand, TextMatch(place, try folding()), try self.operand(right))
  }

  private func like(_ operand: Operand) throws(ObjectPredicateError) -> Condition {
    guard kind.isText, case .constant(.value(.string(let text))) = right else { throw owner.incomparable }
    guard let pattern = LikePattern(text) else {
      throw owner.unsupported("? and a * between two texts are no part of a pattern here")
    }
    return .text(operand, TextMatch(pattern.place, try folding()), .constant(.string(pattern.text)))
  }
}

/// A pattern of `LIKE` that says where a text has to be.
private struct LikePattern {
  var place: TextMatch.Place
  var text: String

  /// Nil for a pattern that says more than that.
  init?(_ pattern: String) {
    var scalars = Array(pattern.unicodeScalars)
    let isOpenAtStart = scalars.first == "*"
    if isOpenAtStart { scalars.removeFirst() }
    var isOpenAtEnd = false
    var text = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      switch scalars[index] {
      case "?": return nil
      case "*":
        guard index == scalars.count - 1 else { return nil }
        isOpenAtEnd = true
      case "\\" where index + 1 < scalars.count:
        index += 1
        text.append(scalars[index])
      default: text.append(scalars[index])
      }
      index += 1
    }
    self.text = String(text)
    place =
      switch (isOpenAtStart, isOpenAtEnd) {
      case (true, true): .contains
      case (true, false): text.isEmpty ? .contains : .hasSuffix
      case (false, true): .hasPrefix
      case (false, false): .equals
      }
  }
}
