/// What consumers have not seen yet, while transactions are removed from the beginning of the history.
struct HistoryProtection {
  private var consumers: [HistoryConsumer]
  /// Those whose token has still to be kept as it is: they have fallen behind, now or before.
  private var isBehind: [Bool]
  /// Those whose token has moved.
  private var hasMoved: [Bool]
  /// The names of those who have lost a transaction that they needed.
  private(set) var fallenBehind: [String] = []

  /// Up to `floor` every transaction is gone already.
  init(_ consumers: [HistoryConsumer], floor: HistoryToken) {
    self.consumers = consumers
    isBehind = consumers.map { $0.token < floor }
    hasMoved = consumers.map { _ in false }
  }

  func covers(_ transaction: HistoryTransaction) -> Bool {
    consumers.contains { $0.needs(transaction) }
  }

  /// Notes that the oldest transaction is removed; nil stands for one whose content is gone already.
  ///
  /// Whoever does not need it has then seen everything up to it, so its token goes on, and does not expire for what it ignores.
  mutating func noteRemoval(of token: HistoryToken, _ transaction: HistoryTransaction?) {
    for position in consumers.indices where !isBehind[position] && consumers[position].token < token {
      if let transaction, consumers[position].needs(transaction) {
        isBehind[position] = true
        fallenBehind.append(consumers[position].name)
      } else {
        consumers[position].token = token
        hasMoved[position] = true
      }
    }
  }

  /// The consumers whose tokens have moved.
  var moved: [HistoryConsumer] {
    consumers.indices.filter { hasMoved[$0] }.map { consumers[$0] }
  }
}

extension HistoryConsumer {
  fileprivate func needs(_ transaction: HistoryTransaction) -> Bool {
    transaction.token > token && (transaction.author == nil || transaction.author != ignoredAuthor)
  }
}

extension RecordSnapshot {
  /// What consumers have not seen yet.
  func historyProtection() throws -> HistoryProtection {
    HistoryProtection(try historyConsumers(), floor: try historyState().floor)
  }
}

extension RecordTransaction {
  /// Stores the tokens that have moved.
  func write(_ protection: HistoryProtection) throws {
    for consumer in protection.moved { try write(consumer) }
  }
}
