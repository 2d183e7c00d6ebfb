/// Which rows of an entity, in what order, and how many of them.
package struct RecordQuery: Sendable {
  package var entity: Entity
  package var condition: Condition
  /// What the rows are sorted by, the most significant term first. Rows that agree in all of them, and all rows if there are
  /// none, come in ascending order of their numbers.
  package var order: [OrderTerm]
  /// How many rows are skipped.
  package var offset: Int
  /// How many rows are returned at most.
  package var limit: Int?
  /// Rows that are left out as if they did not exist.
  package var excluding: Set<RowNumber>
  /// If it is not nil, only rows with these numbers, found by a scan of them: what is left of a scan that goes on where an
  /// earlier one has ended.
  package var scanned: ClosedRange<RowNumber>?

  package init(
    _ entity: Entity, where condition: Condition = .always, order: [OrderTerm] = [], offset: Int = 0, limit: Int? = nil,
    excluding: Set<RowNumber> = [], scanned: ClosedRange<RowNumber>? = nil
  ) {
    self.entity = entity
    self.condition = condition
    self.order = order
    self.offset = offset
    self.limit = limit
    self.excluding = excluding
    self.scanned = scanned
  }
}

/// One criterion that rows are sorted by.
///
/// Values sort as index keys do: nulls before everything, NaN behind all numbers, -0 as 0.
package struct OrderTerm: Sendable {
  package var operand: Operand
  package var isAscending: Bool
  package var textOrder: TextOrder

  package init(_ operand: Operand, ascending isAscending: Bool = true, text textOrder: TextOrder = .lexical) {
    self.operand = operand
    self.isAscending = isAscending
    self.textOrder = textOrder
  }
}

/// How texts are sorted.
package enum TextOrder: Sendable, Hashable {
  /// By the code points of their composed form, as Swift's `<` does.
  case lexical
  /// As people sort lists: by letters, numbers by their value, whatever the user's language. Where texts agree in these, those
  /// without diacritics come first, then those in lower case.
  case localizedStandard
}
