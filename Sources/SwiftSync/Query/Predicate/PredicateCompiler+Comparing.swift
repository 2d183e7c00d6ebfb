import Foundation
import Records

/// Equality and order of terms.
extension PredicateCompiler {
  /// Where two terms are equal. `equal` says whether two constants are, if they are of the compared type.
  func equality(_ left: Term, _ right: Term, _ equal: (Any, Any) -> Bool?) -> Judgement {
    left.combined(with: right) { left, right in
      condition(that: left, equals: right, equal).map { Term(.truth($0)) } ?? .unknown
    }.truth
  }

  /// Where two terms compare so. `holds` says whether two constants do, if they are of the compared type.
  func order(_ left: Term, _ comparison: Comparison, _ right: Term, _ holds: (Any, Any) -> Bool?) -> Judgement {
    left.combined(with: right) { left, right in
      condition(that: left, comparison, right, holds).map { Term(.truth($0)) } ?? .unknown
    }.truth
  }

  private func condition(
    that left: Term.Denotation, equals right: Term.Denotation, _ equal: (Any, Any) -> Bool?
  ) -> Condition? {
    switch (left, right) {
    case (.none, .none): return .always
    case (.none, _), (_, .none): return .never
    case (.constant(let left), .constant(let right)): return equal(left, right).map { $0 ? .always : .never }
    case (.operand(let operand, _), .constant(let value)), (.constant(let value), .operand(let operand, _)):
      return FieldValue(storing: value).map { .comparing(operand, .equal, .constant($0)) }
    case (.operand(let left, let isLeftRaw), .operand(let right, let isRightRaw)) where isLeftRaw == isRightRaw:
      return .comparing(left, .equal, right)
    case (.truth(let condition), .constant(let value)), (.constant(let value), .truth(let condition)):
      return value as? Bool == true ? condition : condition.negated
    case (.truth(let left), .truth(let right)):
      return .either(.both(left, right), .both(left.negated, right.negated))
    case (.truth(let condition), .operand(let operand, isRaw: false)),
      (.operand(let operand, isRaw: false), .truth(let condition)):
      return .comparing(operand, .equal, .truth(condition))
    case (.identifier(let path), .constant(let value)), (.constant(let value), .identifier(let path)):
      return (value as? PersistentIdentifier).map { self.condition(that: path, leadsTo: $0) }
    case (.object(let path), .constant(let value)), (.constant(let value), .object(let path)):
      return (value as? any PersistentModel).map { self.condition(that: path, leadsTo: $0.persistentModelID) }
    case (.object(let left), .object(let right)), (.identifier(let left), .identifier(let right)):
      guard let left = left.rowNumber, let right = right.rowNumber else { return nil }
      return .comparing(left, .equal, right)
    default: return nil
    }
  }

  private func condition(
    that left: Term.Denotation, _ comparison: Comparison, _ right: Term.Denotation, _ holds: (Any, Any) -> Bool?
  ) -> Condition? {
    // An enum may be ordered by other means than its raw value.
    switch (left, right) {
    case (.constant(let left), .constant(let right)):
      return holds(left, right).map { $0 ? .always : .never }
    case (.operand(let operand, isRaw: false), .constant(let value)):
      return FieldValue(storing: value).map { .comparing(operand, comparison, .constant($0)) }
    case (.constant(let value), .operand(let operand, isRaw: false)):
      return FieldValue(storing: value).map { .comparing(operand, comparison.flipped, .constant($0)) }
    case (.operand(let left, isRaw: false), .operand(let right, isRaw: false)):
      return .comparing(left, comparison, right)
    default: return nil
    }
  }

  /// Of which rows the path leads to one row. An identifier of another store, of another model or of an unsaved object is
  /// that of no stored row.
  func condition(that path: RowPath, leadsTo identifier: PersistentIdentifier) -> Condition {
    guard let row = row(identifier, in: path.destination) else { return .never }
    return path.condition(.isRow([row]))
  }

  func row(_ identifier: PersistentIdentifier, in binding: ModelBinding) -> RowNumber? {
    guard identifier.storeIdentifier == core.storeIdentifier, identifier.entityName == binding.table.name
    else { return nil }
    return identifier.row
  }
}

extension RowPath {
  /// The number of the row at the end; nil for the row where the path starts, whose number is no value of it.
  fileprivate var rowNumber: Operand? {
    guard let last = hops.last, let field = last.field else { return nil }
    return hops.dropLast().reversed().reduce(.field(field)) { .destination($1, $0) }
  }
}

extension FieldValue {
  /// A Swift value as a field of its type keeps it; nil if no field keeps values of its type so that they can be compared.
  init?(storing value: Any) {
    if let url = value as? URL, url.baseURL != nil {
      // It is equal to no URL that was read from a store, whatever its text.
      return nil
    } else if let value = value as? any PersistentAttribute {
      self = value.storedValue.field
    } else if let value = value as? any RawRepresentable {
      self.init(storing: value.rawValue)
    } else {
      return nil
    }
  }
}
