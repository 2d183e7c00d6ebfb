import KeyValueStore

/// Writes the history of one open store: a transaction for each commit, in the commit.
struct HistoryLog: Sendable {
  let options: HistoryOptions
  /// The size of a page of the store's file, in which the policy's bytes are counted.
  private let pageBytes: Int

  init(_ options: HistoryOptions, in environment: Environment) throws {
    self.options = options
    pageBytes = try environment.statistics().pageBytes
  }

  /// Notes the changes of a transaction at its end.
  ///
  /// - Returns: The changes with their token, and what happened to the history beside. Without changes, and without a history,
  ///   there is none.
  func append(
    _ changes: ChangeSet, in records: RecordTransaction
  ) throws -> (changes: ChangeSet, events: [HistoryEvent]) {
    if !options.policy.isKept || changes.isEmpty { return (changes, []) }
    var changes = changes
    let token = try records.lastHistoryToken().next
    changes.token = token
    let sections = changes.entities.sorted { $0.key < $1.key }.compactMap { id, changes in
      records.catalog[id].map { HistorySection(changes, of: $0) }
    }
    let now = options.clock()
    changes.timestamp = now
    let transaction = HistoryTransaction(
      token: token, timestamp: now, author: changes.author, writer: options.writer, sections: sections)
    let byteCount = try records.putHistoryEntry(transaction, under: token)
    let isDue = HistoryTrimming.isDue(after: token, byteCount: byteCount)
    var events: [HistoryEvent] = []
    if isDue {
      let trimming = HistoryTrimming(options.policy, now: now, pageBytes: pageBytes, addedByteCount: byteCount)
      events = try trimming.run(in: records, last: token)
    }
    if isDue || SyncedHistoryTrimming.isDue(after: changes.author, options.policy) {
      try SyncedHistoryTrimming(options.policy, now: now).run(in: records, last: token)
    }
    return (changes, events)
  }

  /// Brings a store that has just been opened to the policy: forgets its history, or begins one.
  ///
  /// What happens while no history is kept is not known later. So when one is kept again it begins behind a token that no
  /// transaction has, and every earlier token has expired.
  func open(in records: RecordTransaction) throws {
    var state = try records.historyState()
    if state.isKept == options.policy.isKept { return }
    let last = try records.lastHistoryToken()
    state.isKept = options.policy.isKept
    if state.isKept {
      state.floor = last.next
      _ = try records.putHistoryEntry(nil, under: state.floor)
    } else {
      state.floor = last
      try records.clearHistory(except: last)
    }
    try records.write(state)
  }
}
