/// How a query will be answered: made once, and valid for every snapshot of the same store.
///
/// It stays correct when the store changes; only its estimates, and with them the choice that it stands for, get old.
package struct QueryPlan: Sendable {
  /// How the rows get into the query's order.
  enum Ordering: Sendable {
    /// They are asked for by number.
    case byRow
    /// They come in the order of the source, which is one interval of an index. Rows that agree in the index's first
    /// `valueCount` attributes are put into the order of their numbers.
    ///
    /// `fallback` is the same order, for sorting all rows when this turns out to be the wrong choice.
    case byIndex(IndexAccess, isReversed: Bool, valueCount: Int, fallback: RowOrder?)
    /// They are sorted.
    case sorted(RowOrder)
  }

  package let query: RecordQuery
  let source: Source
  let ordering: Ordering
  /// The conditions that the source itself stands for: a row of which they are not true is there by damage.
  let check: RecordFilter
  /// All other conditions.
  let filter: RecordFilter
  /// How many rows the source has, as far as it is known.
  let estimate: RowEstimate
  /// The plan in a few lines: where rows are looked for, what is asked of them, how they are ordered.
  package let description: String
}

extension QueryPlan: CustomStringConvertible {}

/// How many rows there are.
struct RowEstimate: Sendable {
  var count: Int
  /// Whether they were counted, or can't be more.
  var isCounted: Bool
}
