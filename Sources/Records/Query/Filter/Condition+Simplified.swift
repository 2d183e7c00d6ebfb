extension Condition {
  /// The condition in the form that filters and plans are made from.
  ///
  /// It is true of the same rows. What it is made of is nested as little as possible, `not` stands only in front of what has
  /// no opposite of its own, constants are on the right, and where an operand follows a relationship, the relationship is
  /// followed by a condition instead.
  func simplified() -> Condition {
    switch self {
    case .isRow(let rows) where rows.isEmpty: return .never
    case .always, .never, .isRow: return self
    case .all(let parts): return Condition.conjunction(parts.map { $0.simplified() })
    case .any(let parts): return Condition.disjunction(parts.map { $0.simplified() })
    case .not(let condition): return condition.simplified().negated
    case .isNull(let operand): return Condition.simplifiedIsNull(operand)
    case .compare(let left, let comparison, let right): return Condition.simplifiedCompare(left, comparison, right)
    case .oneOf(let operand, let values): return Condition.simplifiedOneOf(operand, values)
    case .text(.destination(let relationship, let operand), let match, .constant(let pattern)):
      return .destination(relationship, Condition.text(operand, match, .constant(pattern)).simplified())
    case .text(let operand, let match, .constant(.url(let pattern))):
      return .text(operand, match, .constant(.string(pattern)))
    case .text(let operand, TextMatch(.equals), .constant(.string(let text))):
      return Condition.compare(operand, .equal, .constant(.string(text))).simplified()
    case .text: return self
    case .destination(let relationship, let condition):
      let condition = condition.simplified()
      return condition.isNever ? .never : .destination(relationship, condition)
    case .anyMember(let relationship, let condition):
      let condition = condition.simplified()
      return condition.isNever ? .never : .anyMember(relationship, condition)
    case .allMembers(let relationship, let condition):
      let condition = condition.simplified()
      return condition.isAlways ? .always : .allMembers(relationship, condition)
    }
  }

  var isAlways: Bool {
    if case .always = self { return true }
    return false
  }

  var isNever: Bool {
    if case .never = self { return true }
    return false
  }

  /// The conditions that are all true when this one is.
  var conjuncts: [Condition] {
    switch self {
    case .always: []
    case .all(let parts): parts
    default: [self]
    }
  }

  /// The opposite of a simplified condition.
  private var negated: Condition {
    switch self {
    case .always: .never
    case .never: .always
    case .not(let condition): condition
    case .all(let parts): Condition.disjunction(parts.map(\.negated))
    case .any(let parts): Condition.conjunction(parts.map(\.negated))
    case .compare(let left, .equal, let right): .compare(left, .notEqual, right)
    case .compare(let left, .notEqual, let right): .compare(left, .equal, right)
    default: .not(self)
    }
  }

  private static func conjunction(_ parts: [Condition]) -> Condition {
    var flat: [Condition] = []
    for part in parts {
      switch part {
      case .always: break
      case .never: return .never
      case .all(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.isEmpty ? .always : flat.count == 1 ? flat[0] : .all(flat)
  }

  private static func disjunction(_ parts: [Condition]) -> Condition {
    var flat: [Condition] = []
    for part in parts {
      switch part {
      case .never: break
      case .always: return .always
      case .any(let inner): flat += inner
      default: flat.append(part)
      }
    }
    flat = mergingChoices(flat)
    return flat.isEmpty ? .never : flat.count == 1 ? flat[0] : .any(flat)
  }

  /// Makes one list of the values that a field may equal by several of the conditions.
  private static func mergingChoices(_ parts: [Condition]) -> [Condition] {
    var result: [Condition] = []
    var choices: [FieldIndex: (position: Int, values: [FieldValue])] = [:]
    for part in parts {
      guard let (field, values) = part.choice else {
        result.append(part)
        continue
      }
      if let known = choices[field] {
        choices[field] = (known.position, known.values + values)
        result[known.position] = .oneOf(.field(field), known.values + values)
      } else {
        choices[field] = (result.count, values)
        result.append(part)
      }
    }
    return result
  }

  /// The field and the values that it may have, where the condition says just that.
  private var choice: (FieldIndex, [FieldValue])? {
    switch self {
    case .isNull(.field(let field)): (field, [.null])
    case .compare(.field(let field), .equal, .constant(let value)): (field, [value])
    case .oneOf(.field(let field), let values): (field, values)
    default: nil
    }
  }
}
