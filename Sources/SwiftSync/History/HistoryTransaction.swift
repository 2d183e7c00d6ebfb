import Foundation
import Records

/// What one commit did.
public protocol HistoryTransaction: Identifiable, Sendable {
  /// What orders the transactions.
  associatedtype TokenType: HistoryToken

  /// Who wrote: the `author` of the context, or nil for the application's own edits.
  var author: String? { get }
  /// When it was made, by the clock of the machine.
  var timestamp: Date { get }
  /// The transaction's place in the history.
  var token: TokenType { get }
  /// The token as a number.
  var transactionIdentifier: Int64 { get }
  /// The store that was written.
  var storeIdentifier: String { get }
  /// The bundle of the program that wrote.
  var bundleIdentifier: String { get }
  /// The program that wrote.
  var processIdentifier: String { get }
  /// What it did, entity by entity: insertions, updates, deletions, each in the order of the rows.
  var changes: [HistoryChange] { get }
}

/// A place in a history: after it comes what one does not know yet.
public protocol HistoryToken: Comparable, Hashable, Codable, Sendable {
  /// The numbers of the last transactions, by store.
  var tokenValue: [String: Int64]? { get }
}

/// A transaction of a SwiftSync store.
///
/// `changes` is made anew each time it is asked for; keep it where it is needed more than once.
public struct DefaultHistoryTransaction: HistoryTransaction {
  /// Who wrote: the `author` of the context, or nil for the application's own edits.
  public let author: String?
  /// When it was made, by the clock of the machine.
  public let timestamp: Date
  /// The transaction's place in the history.
  public let token: DefaultHistoryToken
  /// The name of the program that wrote.
  public let processIdentifier: String

  private let content: HistoryContent

  init(_ content: HistoryContent) {
    self.content = content
    let transaction = content.transaction
    author = transaction.author
    timestamp = transaction.timestamp
    token = DefaultHistoryToken(transaction.token, of: content.models.storeIdentifier)
    processIdentifier = transaction.writer
  }

  /// The store that was written.
  public var storeIdentifier: String { content.models.storeIdentifier }
  /// The token as a number.
  public var transactionIdentifier: Int64 { token.number }
  /// Empty: programs have no bundle here.
  public var bundleIdentifier: String { "" }
  /// The token as a number.
  public var id: Int64 { transactionIdentifier }
  /// What it did, entity by entity: insertions, updates, deletions, each in the order of the rows. Entities without a class in
  /// this container are left out.
  public var changes: [HistoryChange] { content.changes }
}

/// The place of a transaction in the history of a store.
///
/// Tokens of one store grow with each transaction that changes something and are never used again. They can be compared, kept
/// and sent; of two stores they have nothing to do with each other.
public struct DefaultHistoryToken: HistoryToken {
  let storeIdentifier: String
  let number: Int64

  init(_ token: Records.HistoryToken, of storeIdentifier: String) {
    self.storeIdentifier = storeIdentifier
    // Counting every commit takes longer than 2^63 will last.
    number = Int64(clamping: token.rawValue)
  }

  var token: Records.HistoryToken { Records.HistoryToken(rawValue: UInt64(clamping: number)) }

  /// The token's number, under the identifier of its store.
  public var tokenValue: [String: Int64]? { [storeIdentifier: number] }

  /// Whether the left transaction was made before the right one. Tokens of two stores are ordered by store.
  public static func < (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
    (left.storeIdentifier, left.number) < (right.storeIdentifier, right.number)
  }

  private enum CodingKeys: String, CodingKey {
    case storeIdentifier = "store"
    case number = "token"
  }
}

extension DefaultHistoryToken: CustomStringConvertible {
  /// The number.
  public var description: String { "\(number)" }
}
