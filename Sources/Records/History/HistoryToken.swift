/// The place of a transaction in a store's history.
///
/// Tokens begin at 1 and grow by one with each transaction. None is given twice, whatever is deleted.
package struct HistoryToken: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Before the first transaction.
  package static let start = HistoryToken(rawValue: 0)

  /// The token that the next transaction has.
  package var next: HistoryToken { HistoryToken(rawValue: rawValue + 1) }

  package static func < (left: HistoryToken, right: HistoryToken) -> Bool {
    left.rawValue < right.rawValue
  }
}
