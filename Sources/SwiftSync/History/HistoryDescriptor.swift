import Foundation

/// Which transactions of the history to fetch or to delete.
public struct HistoryDescriptor<Transaction: HistoryTransaction> {
  /// Which transactions; all that are kept if nil. Conditions on `token` that are joined by `&&` are looked up.
  public var predicate: Predicate<Transaction>?
  /// The order; that of the tokens if empty.
  public var sortBy: [SortDescriptor<Transaction>]
  /// How many transactions at most; nil and 0 are no limit.
  public var fetchLimit: UInt64?

  /// Describes transactions.
  /// - Parameters:
  ///   - predicate: which transactions; all that are kept if nil.
  ///   - sortBy: the order, most significant first; that of the tokens if empty.
  public init(predicate: Predicate<Transaction>? = nil, sortBy: [SortDescriptor<Transaction>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
