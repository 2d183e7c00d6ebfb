import Foundation

/// A property, for predicates that are written in Swift: `Key("company.name") == "A"`.
///
/// Operators make predicates of it, and `&&`, `||` and `!` make one of several.
public struct Key: Sendable {
  private let expression: ObjectExpression
  private let modifier: ObjectPredicate.Modifier

  /// The property at the end of a path of relationships.
  public init(_ path: String) {
    self.init(.keyPath(path), .direct)
  }

  private init(_ expression: ObjectExpression, _ modifier: ObjectPredicate.Modifier) {
    self.expression = expression
    self.modifier = modifier
  }

  /// The object that is asked.
  public static var object: Key { Key(.selfObject, .direct) }

  /// At least one of the values that a to-many relationship leads to.
  public var any: Key { Key(expression, .any) }

  /// All of the values that a to-many relationship leads to.
  public var all: Key { Key(expression, .all) }

  /// How many members a to-many relationship has.
  public var count: Key {
    guard case .keyPath(let path) = expression else { return self }
    return Key(.collection(path: path, operation: .count, member: nil), .direct)
  }

  private func compare(
    _ operation: ObjectPredicate.Operation, _ value: some PredicateArgument, _ options: ObjectPredicate.Options = []
  ) -> ObjectPredicate {
    .comparison(
      ObjectPredicate.Comparison(
        expression, operation, value.predicateExpression, modifier: modifier, options: options))
  }

  /// A text that contains another, or members that contain an object.
  public func contains(_ value: some PredicateArgument, _ options: ObjectPredicate.Options = []) -> ObjectPredicate {
    compare(.contains, value, options)
  }

  /// A text that begins with another.
  public func begins(with text: String, _ options: ObjectPredicate.Options = []) -> ObjectPredicate {
    compare(.beginsWith, text, options)
  }

  /// A text that ends with another.
  public func ends(with text: String, _ options: ObjectPredicate.Options = []) -> ObjectPredicate {
    compare(.endsWith, text, options)
  }

  /// A text that has a form, in which `*` stands for any text.
  public func isLike(_ pattern: String, _ options: ObjectPredicate.Options = []) -> ObjectPredicate {
    compare(.like, pattern, options)
  }

  /// A text that equals another, but for some differences.
  public func equals(_ text: String, _ options: ObjectPredicate.Options) -> ObjectPredicate {
    compare(.equal, text, options)
  }

  /// A value, or an object, that is one of several.
  public func isIn(_ values: [some PredicateArgument], _ options: ObjectPredicate.Options = []) -> ObjectPredicate {
    compare(.isIn, values, options)
  }

  /// A value that is neither less than one nor greater than another.
  public func isBetween(_ least: some PredicateArgument, _ greatest: some PredicateArgument) -> ObjectPredicate {
    .comparison(
      ObjectPredicate.Comparison(
        expression, .between, .list([least.predicateExpression, greatest.predicateExpression]), modifier: modifier))
  }

  /// Equal values.
  public static func == (left: Key, right: some PredicateArgument) -> ObjectPredicate { left.compare(.equal, right) }
  /// Different values.
  public static func != (left: Key, right: some PredicateArgument) -> ObjectPredicate { left.compare(.notEqual, right) }
  /// No value.
  public static func == (left: Key, right: _OptionalNilComparisonType) -> ObjectPredicate {
    left.compare(.equal, AttributeValue?.none)
  }
  /// Some value.
  public static func != (left: Key, right: _OptionalNilComparisonType) -> ObjectPredicate {
    left.compare(.notEqual, AttributeValue?.none)
  }
  /// A lesser value.
  public static func < (left: Key, right: some PredicateArgument) -> ObjectPredicate { left.compare(.less, right) }
  /// A lesser or equal value.
  public static func <= (left: Key, right: some PredicateArgument) -> ObjectPredicate {
    left.compare(.lessOrEqual, right)
  }
  /// A greater value.
  public static func > (left: Key, right: some PredicateArgument) -> ObjectPredicate { left.compare(.greater, right) }
  /// A greater or equal value.
  public static func >= (left: Key, right: some PredicateArgument) -> ObjectPredicate {
    left.compare(.greaterOrEqual, right)
  }
}

extension Key: PredicateArgument {
  /// The property, so that it can be compared with another one.
  public var predicateExpression: ObjectExpression { expression }
}

extension ObjectPredicate {
  /// Both are true.
  public static func && (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
    guard case .and(let parts) = left else { return .and([left, right]) }
    return .and(parts + [right])
  }

  /// At least one of both is true.
  public static func || (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
    guard case .or(let parts) = left else { return .or([left, right]) }
    return .or(parts + [right])
  }

  /// It is not true.
  public static prefix func ! (predicate: ObjectPredicate) -> ObjectPredicate {
    // What is neither true nor false does not exist, so two negations are none; and no tree of them grows deep.
    if case .not(let positive) = predicate { return positive }
    return .not(predicate)
  }
}
