import Foundation
import Records

/// Somebody who reads the history of a store, by name, and how far.
///
/// What it has not seen yet is kept for it, up to the limits of the store's `HistoryPolicy`.
public struct HistoryConsumer: Sendable, Hashable {
  /// Who.
  public let name: String
  /// Up to here it has seen everything.
  public let token: DefaultHistoryToken
  /// When it last said so.
  public let timestamp: Date
  /// An author whose transactions it does not need.
  public let ignoredAuthor: String?
  /// Whether transactions that it has not seen are not kept any more. It has to begin with the objects themselves.
  public let hasFallenBehind: Bool
}

extension ModelContainer {
  /// The token of the last transaction: what is saved from now on comes behind it. O(1), however long the history is.
  public func lastHistoryToken() throws -> DefaultHistoryToken {
    let token = try core.store.read { try $0.lastHistoryToken() }
    return DefaultHistoryToken(token, of: core.storeIdentifier)
  }

  /// Everybody who has said that they read the history, by name.
  public func historyConsumers() throws -> [HistoryConsumer] {
    try core.store.read { snapshot in
      let oldest = try snapshot.oldestHistoryToken()
      return try snapshot.historyConsumers().map { consumer in
        HistoryConsumer(
          name: consumer.name, token: DefaultHistoryToken(consumer.token, of: core.storeIdentifier),
          timestamp: consumer.timestamp, ignoredAuthor: consumer.ignoredAuthor,
          hasFallenBehind: consumer.token < oldest)
      }
    }
  }

  /// Notes that somebody has seen the history up to a token; it is theirs from then on, and never moves back.
  ///
  /// - Parameters:
  ///   - name: who.
  ///   - token: a transaction's, or `lastHistoryToken()` for somebody who begins now.
  ///   - ignoredAuthor: an author whose transactions need not be kept for them.
  /// - Throws: `HistoryError.foreignToken`, `HistoryError.unknownToken`, and as `save()`.
  public func advanceHistoryConsumer(
    _ name: String, to token: DefaultHistoryToken, ignoring ignoredAuthor: String? = nil
  ) throws {
    guard token.storeIdentifier == core.storeIdentifier else { throw HistoryError.foreignToken(token) }
    try HistoryError.translating(core.storeIdentifier) {
      _ = try core.store.write { transaction in
        try transaction.advanceHistoryConsumer(name, to: token.token, ignoring: ignoredAuthor)
      }
    }
  }

  /// Ends somebody's reading: nothing is kept for them any more.
  ///
  /// - Returns: false when there was nobody of that name.
  @discardableResult
  public func removeHistoryConsumer(_ name: String) throws -> Bool {
    try core.store.write { try $0.removeHistoryConsumer(name) }.result
  }
}
