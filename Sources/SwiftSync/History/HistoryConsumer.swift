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
    let step = try HistoryStep(name, to: token, ignoring: ignoredAuthor, in: core)
    try HistoryError.translating(core.storeIdentifier) { _ = try core.store.write { try step.take(in: $0) } }
  }

  /// Ends somebody's reading: nothing is kept for them any more.
  ///
  /// - Returns: false when there was nobody of that name.
  @discardableResult
  public func removeHistoryConsumer(_ name: String) throws -> Bool {
    try core.store.write { try $0.removeHistoryConsumer(name) }.result
  }
}

extension ModelContext {
  /// Saves as `save()` does, and notes in the same transaction that somebody has seen the history up to a token: whoever edits by what
  /// it reads there does it once, whatever happens in between.
  ///
  /// It is noted also when there is nothing to save. The history of the save itself is still to be seen; whoever does not want to see
  /// its own saves gives the context an `author` and ignores that.
  ///
  /// - Parameters:
  ///   - name: who.
  ///   - token: a transaction's.
  ///   - ignoredAuthor: an author whose transactions need not be kept for them.
  ///   - durability: what the changes have survived when this returns; nil for what the configuration says.
  /// - Throws: what `save()` throws; `HistoryError.foreignToken`, `HistoryError.unknownToken`. Nothing is saved or noted then.
  public func save(
    advancingHistoryConsumer name: String, to token: DefaultHistoryToken, ignoring ignoredAuthor: String? = nil,
    durability: Durability? = nil
  ) throws {
    let step = try HistoryStep(name, to: token, ignoring: ignoredAuthor, in: core)
    try HistoryError.translating(core.storeIdentifier) {
      if try save(durability: durability, noting: { try step.take(in: $0) }) { return }
      _ = try core.store.write(durability: durability) { try step.take(in: $0) }
    }
  }
}

/// That somebody has seen the history up to a token.
private struct HistoryStep: Sendable {
  private let name: String
  private let token: DefaultHistoryToken
  private let ignoredAuthor: String?

  /// - Throws: `HistoryError.foreignToken`.
  init(_ name: String, to token: DefaultHistoryToken, ignoring ignoredAuthor: String?, in core: ContainerCore) throws {
    guard token.storeIdentifier == core.storeIdentifier else { throw HistoryError.foreignToken(token) }
    self.name = name
    self.token = token
    self.ignoredAuthor = ignoredAuthor
  }

  func take(in transaction: RecordTransaction) throws {
    try transaction.advanceHistoryConsumer(name, to: token.token, ignoring: ignoredAuthor)
  }
}
