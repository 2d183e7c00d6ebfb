import FoundationEssentials
import KeyValueStore

/// One step of removing transactions of syncs that are old enough, from between those of others, which stay.
///
/// What syncs have done is seldom looked for, and there is much of it. But somebody who follows the history, in this process or
/// another, needs all of it: the age leaves them the time. Whoever comes later is told that something is missing.
struct SyncedHistoryTrimming {
  /// How many transactions a step looks at: twice what came since the one before, so that steps catch up.
  private static let transactionsPerStep = 2 * Int(HistoryTrimming.stepTransactions)

  private let newestTimestamp: Date

  /// Whether a step is due after a transaction that no other step follows.
  static func isDue(after author: String?, _ policy: HistoryPolicy) -> Bool {
    author == InboundAuthor.name && policy.syncedAgeMax <= .zero
  }

  init(_ policy: HistoryPolicy, now: Date) {
    newestTimestamp = now.addingTimeInterval(-Double(policy.syncedAgeMax.components.seconds))
  }

  /// Removes what is due. Each step begins where the last one ended.
  func run(in records: RecordTransaction, last: HistoryToken) throws {
    let table = records.tables.history
    var state = try records.historyState()
    let start = max(state.syncedFloor, state.floor)
    var end = start
    var known: HistoryProtection?
    var lookedAt = 0
    let first = start.next.rawValue.withBytes { [UInt8]($0) }
    try records.snapshot.scan(table, in: .from(first)) { key, value in
      guard lookedAt < Self.transactionsPerStep else { return .stop }
      lookedAt += 1
      let token = try HistoryEntry.token(key, in: table)
      if let transaction = try HistoryEntry.read(key, value, in: table), transaction.author == InboundAuthor.name {
        guard transaction.timestamp <= newestTimestamp else { return .stop }
        let protection = try known ?? records.historyProtection()
        known = protection
        if protection.covers(transaction) { return .stop }
        try records.removeHistoryEntry(token, last: last)
      }
      end = token
      return .continue
    }
    guard end > start else { return }
    state.syncedFloor = end
    try records.write(state)
  }
}
