/// Something that happens to the history by itself.
package enum HistoryEvent: Sendable, Hashable {
  /// Transactions are gone that a consumer had still to see, because there were more than are kept for consumers.
  case consumerFellBehind(name: String)
}
