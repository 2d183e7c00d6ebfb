import Foundation

/// A word or sign of a predicate's format, and where it is.
struct FormatToken: Sendable {
  enum Kind: Sendable, Equatable {
    /// A name. A keyword with a `#` in front is one too.
    case identifier(String)
    case keyword(FormatKeyword)
    /// A variable, without its `$`.
    case variable(String)
    case number(AttributeValue)
    case string(String)
    /// An argument's place, without its `%`: `@`, `K`, `d`.
    case placeholder(String)
    /// An operator or bracket.
    case sign(String)
    case end
  }

  let kind: Kind
  /// The number of scalars in front of it.
  let offset: Int
  /// A name or keyword as it is written.
  var spelling = ""

  /// What messages call it.
  var text: String {
    switch kind {
    case .identifier(let name): name
    case .keyword: spelling
    case .variable(let name): "$\(name)"
    case .number(let value): value.text
    case .string(let text): AttributeValue.quoted(text)
    case .placeholder(let specifier): "%\(specifier)"
    case .sign(let sign): sign
    case .end: "the end"
    }
  }
}

/// The reserved words of the format, in whatever case they are written.
enum FormatKeyword: String, Sendable, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  case isIn = "IN"
  case between = "BETWEEN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case matches = "MATCHES"
  case selfObject = "SELF"
  case null = "NULL"
  case `nil` = "NIL"
  case yes = "YES"
  case no = "NO"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case subquery = "SUBQUERY"
  case cast = "CAST"
}
