/// How much of its history a store keeps.
///
/// What is older or more than the first limits say is removed, oldest first, a little with each commit. What a named
/// consumer has not seen yet is kept beyond them, up to the last two. The newest transaction always stays.
public struct HistoryPolicy: Sendable, Hashable {
  /// Whether any history is kept.
  public let isKept: Bool
  /// How old a transaction may become.
  public let ageMax: Duration
  /// How old a transaction of a sync may become, that whoever follows the history has time for it.
  public let syncedAgeMax: Duration
  /// How many transactions are kept.
  public let transactionsMax: Int
  /// How large the history may become, in bytes of the store's file.
  public let bytesMax: Int
  /// How many transactions are kept for the sake of consumers.
  public let consumerTransactionsMax: Int
  /// How large the history may become for the sake of consumers.
  public let consumerBytesMax: Int

  /// A policy that keeps a history.
  ///
  /// - Parameters:
  ///   - ageMax: How old a transaction may become. Seven days are more than most readers are ever away.
  ///   - syncedAgeMax: How old a transaction of a sync may become. A day is more than a reader is ever behind that follows the
  ///     history. With `.zero` a sync leaves none, and readers that don't listen while it commits have to begin with the rows.
  ///   - transactionsMax: How many transactions are kept.
  ///   - bytesMax: How large the history may become, in bytes of the store's file.
  ///   - consumerTransactionsMax: How many transactions are kept for consumers that have not seen them; at least
  ///     `transactionsMax`.
  ///   - consumerBytesMax: How large the history may become for their sake; at least `bytesMax`.
  public init(
    ageMax: Duration = .seconds(7 * 86_400), syncedAgeMax: Duration = .seconds(86_400), transactionsMax: Int = 100_000,
    bytesMax: Int = 64 << 20, consumerTransactionsMax: Int = 1_000_000, consumerBytesMax: Int = 256 << 20
  ) {
    self.init(
      isKept: true, ageMax: ageMax, syncedAgeMax: syncedAgeMax, transactionsMax: transactionsMax, bytesMax: bytesMax,
      consumerTransactionsMax: max(consumerTransactionsMax, transactionsMax),
      consumerBytesMax: max(consumerBytesMax, bytesMax))
  }

  /// The limits that a store has unless it is told others: a bounded history that outlasts a week of absence.
  public static let standard = HistoryPolicy()

  /// No history. A store that has one forgets it.
  public static let off = HistoryPolicy(
    isKept: false, ageMax: .zero, syncedAgeMax: .zero, transactionsMax: 0, bytesMax: 0, consumerTransactionsMax: 0,
    consumerBytesMax: 0)

  private init(
    isKept: Bool, ageMax: Duration, syncedAgeMax: Duration, transactionsMax: Int, bytesMax: Int,
    consumerTransactionsMax: Int, consumerBytesMax: Int
  ) {
    self.isKept = isKept
    self.ageMax = ageMax
    self.syncedAgeMax = syncedAgeMax
    self.transactionsMax = transactionsMax
    self.bytesMax = bytesMax
    self.consumerTransactionsMax = consumerTransactionsMax
    self.consumerBytesMax = consumerBytesMax
  }
}
