import Foundation
import Records

/// What a collection says of itself.
enum CollectionProperty {
  case count, isEmpty
}

/// Members of relationships, and constant collections that a row's values are looked for in.
extension PredicateCompiler {
  /// More elements than this are not worth a condition each.
  private static let elementsMax = 32

  func property(
    _ property: CollectionProperty?, ofMembers relationship: Relationship, _ condition: Condition, _ path: RowPath
  ) -> Term {
    switch property {
    case .count: Term(.operand(path.operand(.memberCount(relationship, where: condition)), isRaw: false))
    case .isEmpty: Term(.truth(path.condition(Condition.anyMember(relationship, condition).negated)))
    case nil: .unknown
    }
  }

  /// Whether a test holds for any element of a collection, or for every one.
  func quantified<Elements: PredicateExpression, Test: PredicateExpression>(
    _ elements: Elements, _ variable: PredicateExpressions.Variable<Elements.Output.Element>, _ test: Test, any: Bool
  ) -> Term where Elements.Output: Sequence {
    term(of: elements).map { value in
      switch value {
      case .members(let path, let relationship, let condition):
        return members(of: relationship, variable.key, test) { holds in
          // All of those that meet the condition pass the test where none of them fails it.
          let found = Condition.anyMember(relationship, .both(condition, any ? holds : holds.negated))
          return Term(.truth(path.condition(any ? found : found.negated)))
        }
      case .constant(let value):
        guard let constant = value as? Elements.Output else { return .unknown }
        let elements = Array(constant.prefix(Self.elementsMax + 1))
        guard elements.count <= Self.elementsMax else { return .unknown }
        let tests = elements.map { element in
          binding(variable.key, to: Term.constant(element)) { term(of: test) }.truth
        }
        return tests.reduce(Judgement(holds: any ? .never : .always, unsure: .never)) {
          Judgement(
            holds: any ? .either($0.holds, $1.holds) : .both($0.holds, $1.holds), unsure: .either($0.unsure, $1.unsure))
        }.term
      default: return .unknown
      }
    }
  }

  /// The elements of a collection that pass a test.
  func filtered<Elements: PredicateExpression, Test: PredicateExpression>(
    _ elements: Elements, _ variable: PredicateExpressions.Variable<Elements.Output.Element>, _ test: Test
  ) -> Term where Elements.Output: Sequence {
    term(of: elements).map { value in
      guard case .members(let path, let relationship, let condition) = value else { return .unknown }
      return members(of: relationship, variable.key, test) { holds in
        Term(.members(path, relationship, .both(condition, holds)))
      }
    }
  }

  /// What a closure makes of the condition that a test is on the members of a relationship, if the store can tell it.
  private func members(
    of relationship: Relationship, _ variable: PredicateExpressions.VariableID, _ test: some PredicateExpression,
    _ body: (Condition) -> Term
  ) -> Term {
    guard let binding = core.binding(of: relationship.destination) else { return .unknown }
    let judgement = inRows(of: binding, as: variable) { self.judgement(of: test) }
    guard case .never = judgement.unsure else { return .unknown }
    return body(judgement.holds)
  }

  /// Where a constant range contains a value.
  func containment<Range: RangeExpression>(
    _ element: Term, in range: Range
  ) -> Term {
    element.map { value in
      switch value {
      case .constant(let value): (value as? Range.Bound).map { Term(.constant(range.contains($0))) } ?? .unknown
      case .operand(let operand, isRaw: false):
        (range as? any ConstantRange)?.condition(of: operand).map { Term(.truth($0)) } ?? .unknown
      default: .unknown
      }
    }
  }

  /// Where a constant collection contains a value.
  func membership<Element: Equatable>(_ element: Term, in elements: [Element]) -> Term {
    element.map { value in
      switch value {
      case .none: Term(.constant(elements.contains { ($0 as? any AnyOptional)?.isNil == true }))
      case .constant(let value): (value as? Element).map { Term(.constant(elements.contains($0))) } ?? .unknown
      case .operand(let operand, _):
        storedForms(of: elements).map { Term(.truth(.choosing(operand, among: $0))) } ?? .unknown
      case .identifier(let path):
        Term(
          .truth(
            path.condition(
              .isRow(
                wrapped(elements).compactMap { identifier in
                  (identifier as? PersistentIdentifier).flatMap { row($0, in: path.destination) }
                }))))
      case .object(let path):
        Term(
          .truth(
            path.condition(
              .isRow(
                wrapped(elements).compactMap { object in
                  (object as? any PersistentModel).flatMap { row($0.persistentModelID, in: path.destination) }
                }))))
      case .truth(let condition):
        Term(
          .truth(
            .either(
              elements.contains { $0 as? Bool == true } ? condition : .never,
              elements.contains { $0 as? Bool == false } ? condition.negated : .never)))
      case .members, .unknown: .unknown
      }
    }
  }

  /// Where the members of a relationship include a constant object.
  func membership(of element: Term, among members: Term) -> Term {
    members.combined(with: element) { members, element in
      guard case .members(let path, let relationship, let condition) = members, case .constant(let value) = element,
        let object = value as? any PersistentModel, let binding = core.binding(of: relationship.destination)
      else { return .unknown }
      guard let row = row(object.persistentModelID, in: binding) else { return Term(.constant(false)) }
      return Term(.truth(path.condition(.anyMember(relationship, .both(condition, .isRow([row]))))))
    }
  }

  /// Where one text is in another.
  func match(_ text: Term, _ match: TextMatch, _ pattern: Term) -> Term {
    text.combined(with: pattern) { text, pattern in
      guard let text = text.text, let pattern = pattern.text else { return .unknown }
      if case .constant(.string(let text)) = text, case .constant(.string(let pattern)) = pattern {
        return Term(.constant(match.matches(text, pattern)))
      }
      return Term(.truth(.matching(text, match, pattern)))
    }
  }

  private func wrapped<Element>(_ elements: [Element]) -> [Any] {
    elements.compactMap { element in
      guard let optional = element as? any AnyOptional else { return element }
      return optional.wrapped
    }
  }

  /// The elements as fields keep them, without nil; nil if there is one that no field keeps.
  private func storedForms<Element>(of elements: [Element]) -> [FieldValue]? {
    var result: [FieldValue] = []
    for element in wrapped(elements) {
      guard let value = FieldValue(storing: element) else { return nil }
      result.append(value)
    }
    return result
  }
}

extension Term.Denotation {
  fileprivate var text: Operand? {
    switch self {
    case .operand(let operand, isRaw: false): operand
    case .constant(let value as String): .constant(.string(value))
    default: nil
    }
  }
}
