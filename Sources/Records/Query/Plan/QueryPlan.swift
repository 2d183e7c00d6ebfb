/// How a query will be answered: made once, and valid for every snapshot of the same store.
///
/// It stays correct when the store changes; only its estimates, and with them the choice that it stands for, get old.
package struct QueryPlan: Sendable {
  /// How the rows get into the query's order.
  enum Ordering: Sendable {
    /// They are asked for by number.
    case byRow
    /// They come in the order of the source, which is a part of an index.
    case byIndex(IndexOrder)
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
  /// The conditions behind `check` and `filter`, for the plan's description, which is made when somebody asks for it.
  let covered: [Condition]
  let rest: [Condition]
  let catalog: Catalog
}

extension QueryPlan {
  /// Whether the rows are those of a scan in the order of their numbers, which can go on after any of them.
  package var isScan: Bool {
    if case .everything = source, case .byRow = ordering { true } else { false }
  }

  /// How the plan's rows are counted.
  package enum Counting: Sendable {
    /// They are all rows, whose number is kept.
    case byNumberOfRows
    /// The entries of the source are counted.
    case byEntries
    /// The rows are read.
    case byRows
  }

  /// `isJudged` says whether rows are asked something more than the query's condition.
  package func counting(isJudged: Bool) -> Counting {
    guard filter.isAlwaysTrue, !isJudged, query.excluding.isEmpty, query.scanned == nil else { return .byRows }
    switch source {
    case .everything: return .byNumberOfRows
    case .index, .links: return source.hasRepetitions ? .byRows : .byEntries
    case .rows, .union: return .byRows
    }
  }
}

/// How many rows there are.
struct RowEstimate: Sendable {
  var count: Int
  /// Whether they were counted, or can't be more.
  var isCounted: Bool
}
