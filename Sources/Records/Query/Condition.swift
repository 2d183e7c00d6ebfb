/// What a query asks of the rows of one entity.
///
/// A condition is true or false of every row, never unknown: what it says about a value that is not there is spelled out at
/// each case and is what Swift says about optionals. So `not` is the exact opposite, also for rows with nulls. Fields and
/// relationships are those of the entity that the condition is about; inside of `destination`, `anyMember` and `allMembers`
/// that is the entity at the far end.
package indirect enum Condition: Sendable {
  /// True of every row.
  case always
  /// True of no row.
  case never
  /// Every one of these is true; `always` when there are none.
  case all([Condition])
  /// At least one of these is true; `never` when there are none.
  case any([Condition])
  case not(Condition)

  /// The operand has no value.
  case isNull(Operand)
  /// Two values compare so, as `FieldValue.matches` defines it: a null equals only null and is neither less nor greater than
  /// anything.
  case compare(Operand, Comparison, Operand)
  /// The operand equals one of the values. A null among them stands for rows without a value.
  case oneOf(Operand, [FieldValue])
  /// The text of the first operand matches that of the second. False when either is not there or not a text.
  case text(Operand, TextMatch, Operand)
  /// The row is one of these.
  case isRow([RowNumber])

  /// The to-one relationship leads to a row of which the condition is true; false when it leads nowhere.
  case destination(Relationship, Condition)
  /// The condition is true of at least one member of the to-many relationship.
  case anyMember(Relationship, Condition)
  /// The condition is true of every member of the to-many relationship; true when there are none.
  case allMembers(Relationship, Condition)
}

/// How two values are compared.
package enum Comparison: Sendable, Hashable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

  /// The comparison that says the same with its sides exchanged.
  package var flipped: Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// The comparison as messages show it.
  var text: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }

  /// Whether values of which the left one is less than (below zero), equal to (zero) or greater than the right one compare so.
  @inline(__always)
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

/// How a text is looked for in another.
///
/// Texts match by whole characters, as Swift's collections do: "e" is not in "e\u{301}", and every spelling of one character
/// is the same.
package struct TextMatch: Sendable, Hashable {
  /// Where the second text must be in the first.
  package enum Place: Sendable, Hashable {
    case contains, hasPrefix, hasSuffix, equals
  }

  /// Which differences between two texts do not count.
  package enum Folding: Sendable, Hashable {
    /// Every difference counts, except between spellings of one character.
    case exact
    /// Upper and lower case are the same.
    case caseInsensitive
    /// Upper and lower case are the same, and so are letters with and without diacritics: what people expect of a search field.
    case localizedStandard
  }

  package var place: Place
  package var folding: Folding

  package init(_ place: Place, _ folding: Folding = .exact) {
    self.place = place
    self.folding = folding
  }
}

extension Condition {
  /// A field compared with a constant.
  package static func compare(_ field: FieldIndex, _ comparison: Comparison, _ value: FieldValue) -> Condition {
    .compare(.field(field), comparison, .constant(value))
  }

  /// A field that has no value.
  package static func isNull(_ field: FieldIndex) -> Condition {
    .isNull(.field(field))
  }

  /// A field with one of several values.
  package static func oneOf(_ field: FieldIndex, _ values: [FieldValue]) -> Condition {
    .oneOf(.field(field), values)
  }

  /// A text field matched with a constant.
  package static func text(_ field: FieldIndex, _ match: TextMatch, _ pattern: String) -> Condition {
    .text(.field(field), match, .constant(.string(pattern)))
  }

  /// How many members a to-many relationship has.
  package static func memberCount(_ relationship: Relationship, _ comparison: Comparison, _ count: Int) -> Condition {
    .compare(.memberCount(relationship, where: .always), comparison, .constant(.int(Int64(count))))
  }
}
