import FoundationEssentials
import KeyValueStore

/// One step of removing what the policy does not keep: from the oldest transaction on, a little at a time.
struct HistoryTrimming {
  /// Every so many transactions there is a step.
  static let stepTransactions: UInt64 = 64
  /// A transaction of so many bytes has a step of its own, so that a few large ones do not pass the limit unnoticed.
  static let largeTransactionBytes = 4096

  /// What a step removes at most if the history has too many transactions or they are too old: twice what came since the
  /// one before, so that steps catch up.
  private static let removedTransactions = 2 * Int(stepTransactions)

  private let policy: HistoryPolicy
  private let oldestTimestamp: Date
  private let pageBytes: Int
  /// How many bytes a step removes at least, if there are too many: twice what can have come since the one before.
  private let removedBytes: Int

  static func isDue(after token: HistoryToken, byteCount: Int) -> Bool {
    token.rawValue % stepTransactions == 0 || byteCount >= largeTransactionBytes
  }

  init(_ policy: HistoryPolicy, now: Date, pageBytes: Int, addedByteCount: Int) {
    self.policy = policy
    self.pageBytes = pageBytes
    oldestTimestamp = now.addingTimeInterval(-Double(policy.ageMax.components.seconds))
    removedBytes = 2 * (addedByteCount + Int(Self.stepTransactions) * Self.largeTransactionBytes)
  }

  /// Removes what is due; `last` is the newest transaction, which stays.
  ///
  /// - Returns: That consumers have fallen behind.
  func run(in records: RecordTransaction, last: HistoryToken) throws -> [HistoryEvent] {
    let table = records.tables.history
    var known: HistoryProtection?
    var removed: HistoryToken?
    var removedCount = 0
    var removedByteCount = 0
    try records.snapshot.scan(table) { key, value in
      let token = try HistoryEntry.token(key, in: table)
      if token == last { return .stop }
      let size = try records.snapshot.statistics(of: table)
      let bytes = (size.leafPages + size.branchPages + size.overflowPages) * pageBytes
      let isTooLarge = bytes > policy.bytesMax
      if removedCount >= Self.removedTransactions, !isTooLarge || removedByteCount >= removedBytes { return .stop }
      let transaction = try HistoryEntry.read(key, value, in: table)
      let isTooOld = transaction.map { $0.timestamp < oldestTimestamp } ?? true
      guard isTooLarge || isTooOld || size.entries > policy.transactionsMax else { return .stop }
      // Read only when it is needed, and then once.
      var protection = try known ?? records.historyProtection()
      let isWithinLimits = size.entries <= policy.consumerTransactionsMax && bytes <= policy.consumerBytesMax
      if isWithinLimits, let transaction, protection.covers(transaction) { return .stop }
      protection.noteRemoval(of: token, transaction)
      known = protection
      removedCount += 1
      removedByteCount += key.count + value.count
      removed = token
      try records.removeHistoryEntry(token, last: last)
      return .continue
    }
    guard let removed, let known else { return [] }
    var state = try records.historyState()
    state.floor = max(state.floor, removed)
    try records.write(state)
    try records.write(known)
    return known.fallenBehind.map { .consumerFellBehind(name: $0) }
  }
}
