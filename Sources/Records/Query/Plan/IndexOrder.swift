/// How an index gives a query's order: as a whole, or its first terms, so that only rows that agree in these have to be sorted.
struct IndexOrder: Sendable {
  /// The part of the index that is walked through (`IndexAccess.isInOrder`).
  let access: IndexAccess
  let isReversed: Bool
  /// How many of the index's attributes decide. Rows that agree in them are a group.
  let valueCount: Int
  /// How many of the order's terms the index gives.
  let termCount: Int
  /// The other terms, by which each group is sorted; nil if there are none, and groups are in the order of their rows' numbers.
  let ties: RowOrder?
  /// The whole order, for sorting all rows when this turns out to be the wrong choice.
  let fallback: RowOrder?

  /// Nil when the index does not even give the first term.
  init?(_ access: IndexAccess, of query: RecordQuery, in catalog: Catalog) throws {
    guard let beginning = access.beginning(of: query.order) else { return nil }
    self.access = access
    isReversed = beginning.isReversed
    valueCount = beginning.valueCount
    termCount = beginning.termCount
    let rest = query.order[termCount...]
    ties = rest.isEmpty ? nil : try RowOrder(Array(rest), of: query.entity, in: catalog)
    // How many rows have to be looked at until a limit is reached is a guess, and a wrong one when few are the query's, or when
    // many agree.
    fallback =
      access.intervals == [.all] && query.limit != nil
      ? try RowOrder(query.order, of: query.entity, in: catalog) : nil
  }
}

extension IndexAccess {
  /// The first terms of an order that the index gives, how many of its attributes decide that, and whether it is read backwards.
  ///
  /// Attributes with one value in all rows may stand in the order or not. They alone are no beginning of a longer order.
  fileprivate func beginning(of order: [OrderTerm]) -> (termCount: Int, valueCount: Int, isReversed: Bool)? {
    let fixed = index.attributes[..<fixedCount]
    var rest = index.attributes[fixedCount...]
    var isAscending: Bool?
    var termCount = 0
    for term in order {
      guard case .field(let field) = term.operand else { break }
      if !fixed.contains(where: { $0.field == field }) {
        guard let next = rest.first, next.field == field, isAscending ?? term.isAscending == term.isAscending,
          term.textOrder == .lexical || !FieldKind(next.type).isText
        else { break }
        isAscending = term.isAscending
        rest = rest.dropFirst()
      }
      termCount += 1
    }
    if isAscending == nil, termCount < order.count { return nil }
    return (termCount, index.attributes.count - rest.count, isAscending == false)
  }
}
