import Foundation
import Records

extension ModelContext {
  /// The transactions of the store's history that a descriptor describes, in the order of their tokens unless it has another.
  ///
  /// What is unsaved is not part of it.
  ///
  /// - Throws: `HistoryError` for a token in the predicate that is another store's, or behind which not everything is known;
  ///   `RecordError.damagedTransaction`; `StoreError`; what the predicate throws.
  /// - Complexity: O(n) in the transactions between the tokens that the predicate compares `token` with.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction> = HistoryDescriptor()
  ) throws -> [DefaultHistoryTransaction] {
    let models = try HistoryModels(core)
    let range = try HistoryRange(descriptor.predicate, in: core)
    let limit = descriptor.fetchLimit.flatMap { $0 == 0 ? nil : Int(clamping: $0) } ?? .max
    let isSorted = !descriptor.sortBy.isEmpty
    var result: [DefaultHistoryTransaction] = []
    try HistoryError.translating(models.storeIdentifier) {
      try core.store.read { snapshot in
        try snapshot.forEachTransaction(after: range.after, through: range.through) { transaction in
          let transaction = DefaultHistoryTransaction(HistoryContent(transaction: transaction, models: models))
          if try descriptor.predicate?.evaluate(transaction) ?? true { result.append(transaction) }
          return !isSorted && result.count >= limit ? .stop : .continue
        }
      }
    }
    if isSorted { result.sort(using: descriptor.sortBy) }
    return Array(result.prefix(limit))
  }

  /// Deletes the transactions of the history that a descriptor describes and that no consumer has still to see.
  ///
  /// Tokens stay comparable, and none is used again. If the predicate asks for nothing but tokens and timestamps, tokens
  /// before a deleted beginning of the history expire. One that asks for authors is taken to know what it does: tokens stay
  /// good, and whoever reads on must not need what is deleted. The order of the descriptor does not matter.
  ///
  /// - Returns: how many were deleted.
  /// - Throws: `HistoryError.foreignToken`; as `save()`; what the predicate throws.
  @discardableResult
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction> = HistoryDescriptor()) throws
    -> Int
  {
    let models = try HistoryModels(core)
    let range = try HistoryRange(descriptor.predicate, in: core)
    let predicate = descriptor.predicate
    let limit = descriptor.fetchLimit.flatMap { $0 == 0 ? nil : Int(clamping: $0) } ?? .max
    return try HistoryError.translating(models.storeIdentifier) {
      try core.store.write { transaction in
        var rest = limit
        return try transaction.deleteHistory(
          after: range.after, through: range.through, expiring: range.isOfTime
        ) { transaction in
          if rest == 0 { return false }
          let content = HistoryContent(transaction: transaction, models: models)
          guard try predicate?.evaluate(DefaultHistoryTransaction(content)) ?? true else { return false }
          rest -= 1
          return true
        }
      }.result
    }
  }
}

/// The stretch of the history in which a predicate can match.
private struct HistoryRange {
  let after: Records.HistoryToken?
  let through: Records.HistoryToken?
  let isOfTime: Bool

  /// - Throws: `HistoryError.foreignToken`.
  init(_ predicate: Predicate<DefaultHistoryTransaction>?, in core: ContainerCore) throws {
    let condition = HistoryCondition(predicate)
    let tokens = predicate?.expression.constantTokens ?? []
    if let foreign = tokens.first(where: { $0.storeIdentifier != core.storeIdentifier }) {
      throw HistoryError.foreignToken(foreign)
    }
    after = condition.after.map { Records.HistoryToken(rawValue: UInt64(clamping: $0)) }
    through = condition.through.map { Records.HistoryToken(rawValue: UInt64(clamping: $0)) }
    isOfTime = condition.isOfTime
  }
}
