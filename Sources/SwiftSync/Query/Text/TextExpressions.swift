import Foundation
import Records

// The text functions that `#Predicate` accepts and that Foundation implements on Apple's systems only.

#if !canImport(Darwin)
extension PredicateExpressions {
  /// `a.localizedStandardContains(b)`: whether a text is in another, without regard to case and diacritics, as people
  /// expect of a search field.
  public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression, CustomStringConvertible
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    /// The text.
    public let root: Root
    /// What is looked for in it.
    public let other: Other

    /// Looks for the second text in the first.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// Whether it is there. The empty text is in no other.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      let text = String(try root.evaluate(bindings))
      let pattern = String(try other.evaluate(bindings))
      return TextMatch.search.finds(pattern, in: text)
    }

    /// The expression, for debugging.
    public var description: String { "localizedStandardContains(\(root), \(other))" }
  }

  /// `a.caseInsensitiveCompare(b)`: the order of two texts without regard to case.
  public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression, CustomStringConvertible
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    /// The left text.
    public let root: Root
    /// The right text.
    public let other: Other

    /// Compares two texts.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// The order of the texts.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
    }

    /// The expression, for debugging.
    public var description: String { "caseInsensitiveCompare(\(root), \(other))" }
  }

  /// `a.localizedCompare(b)`: the order of two texts in the user's language.
  public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression, CustomStringConvertible
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    /// The left text.
    public let root: Root
    /// The right text.
    public let other: Other

    /// Compares two texts.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// The order of the texts.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try root.evaluate(bindings).localizedCompare(other.evaluate(bindings))
    }

    /// The expression, for debugging.
    public var description: String { "localizedCompare(\(root), \(other))" }
  }

  /// Called by what `#Predicate` makes of `localizedStandardContains`.
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> {
    StringLocalizedStandardContains(root: root, other: other)
  }

  /// Called by what `#Predicate` makes of `caseInsensitiveCompare`.
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> {
    StringCaseInsensitiveCompare(root: root, other: other)
  }

  /// Called by what `#Predicate` makes of `localizedCompare`.
  public static func build_localizedCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedCompare<Root, Other> {
    StringLocalizedCompare(root: root, other: other)
  }
}

// A predicate can be sent and archived if its parts can.

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
#endif
