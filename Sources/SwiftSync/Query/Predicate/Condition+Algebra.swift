import Records

/// Combining conditions so that what cancels out is left out: optional chaining, `??` and unwrapping make many conditions
/// that only say again that a value is there.
extension Condition {
  static func both(_ left: Condition, _ right: Condition) -> Condition {
    switch (left, right) {
    case (.never, _), (_, .never): return .never
    case (.always, let other), (let other, .always): return other
    default: break
    }
    var parts: [Condition] = []
    for part in left.conjuncts + right.conjuncts {
      switch part {
      case .always: continue
      case .never: return .never
      case .destination(let relationship, let condition):
        let known = parts.firstIndex { $0.leads(along: relationship) }
        guard let known, case .destination(_, let other) = parts[known] else {
          parts.append(part)
          continue
        }
        parts[known] = .destination(relationship, .both(other, condition))
        if case .destination(_, .never) = parts[known] { return .never }
      default: parts.append(part)
      }
    }
    // Lists, because there are a few parts at most.
    let present = parts.compactMap(\.presentField)
    if parts.contains(where: { $0.absentField.map(present.contains) ?? false }) { return .never }
    let implied = parts.filter { !$0.onlySaysPresent }.compactMap(\.presentField)
    parts.removeAll { $0.onlySaysPresent && $0.presentField.map(implied.contains) == true }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .always : .all(parts)
  }

  static func either(_ left: Condition, _ right: Condition) -> Condition {
    switch (left, right) {
    case (.always, _), (_, .always): return .always
    case (.never, let other), (let other, .never): return other
    default: break
    }
    var parts: [Condition] = []
    for part in left.disjuncts + right.disjuncts {
      switch part {
      case .never: continue
      case .always: return .always
      case .destination(let relationship, let condition):
        let known = parts.firstIndex { $0.leads(along: relationship) }
        guard let known, case .destination(_, let other) = parts[known] else {
          parts.append(part)
          continue
        }
        parts[known] = .destination(relationship, .either(other, condition))
      default: parts.append(part)
      }
    }
    let absent = parts.compactMap(\.absentField)
    if parts.contains(where: { $0.onlySaysPresent && $0.presentField.map(absent.contains) == true }) { return .always }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .never : .any(parts)
  }

  var negated: Condition {
    switch self {
    case .always: .never
    case .never: .always
    case .not(let condition): condition
    case .compare(let left, .equal, let right): .compare(left, .notEqual, right)
    case .compare(let left, .notEqual, let right): .compare(left, .equal, right)
    default: .not(self)
    }
  }

  /// A comparison of values that are there. One with a constant is made where the value is: there an index may know it.
  static func comparing(_ left: Operand, _ comparison: Comparison, _ right: Operand) -> Condition {
    switch (left, right) {
    case (.destination(let relationship, let inner), .constant):
      .destination(relationship, .comparing(inner, comparison, right))
    case (.constant, .destination(let relationship, let inner)):
      .destination(relationship, .comparing(left, comparison, inner))
    default: .compare(left, comparison, right)
    }
  }

  /// A match of texts that are there.
  static func matching(_ text: Operand, _ match: TextMatch, _ pattern: Operand) -> Condition {
    switch (text, pattern) {
    case (.destination(let relationship, let inner), .constant):
      .destination(relationship, .matching(inner, match, pattern))
    default: .text(text, match, pattern)
    }
  }

  /// A choice among constants for a value that is there.
  static func choosing(_ operand: Operand, among values: [FieldValue]) -> Condition {
    guard case .destination(let relationship, let inner) = operand else { return .oneOf(operand, values) }
    return .destination(relationship, .choosing(inner, among: values))
  }

  private var conjuncts: [Condition] {
    if case .all(let parts) = self { parts } else { [self] }
  }

  private var disjuncts: [Condition] {
    if case .any(let parts) = self { parts } else { [self] }
  }

  private func leads(along relationship: Relationship) -> Bool {
    if case .destination(let other, _) = self { other.id == relationship.id } else { false }
  }

  /// The field that is null in every row of which the condition is true.
  private var absentField: FieldIndex? {
    if case .isNull(.field(let field)) = self { field } else { nil }
  }

  /// The field that is not null in any row of which the condition is true.
  private var presentField: FieldIndex? {
    switch self {
    case .not(.isNull(.field(let field))): field
    case .compare(.field(let field), let comparison, .constant(let value))
    where comparison != .notEqual && value != .null:
      field
    case .compare(.constant(let value), let comparison, .field(let field))
    where comparison != .notEqual && value != .null:
      field
    case .oneOf(.field(let field), let values) where !values.contains(.null): field
    case .text(.field(let field), _, _): field
    case .destination(let relationship, _): relationship.field
    default: nil
    }
  }

  /// Whether the condition says nothing but that a value is there.
  private var onlySaysPresent: Bool {
    switch self {
    case .not(.isNull(.field)): true
    case .destination(_, .always): true
    default: false
    }
  }
}
