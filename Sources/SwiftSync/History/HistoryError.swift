import Foundation
import Records

/// Why what happened after a token cannot be said.
public enum HistoryError: Error, Equatable, Sendable {
  /// Transactions after the token are not kept any more. `oldest` is the oldest token behind which everything is: whoever is
  /// that late has to begin with the objects themselves.
  case tokenExpired(DefaultHistoryToken, oldest: DefaultHistoryToken)
  /// The store has not come to the token: it was put back to an earlier state.
  case unknownToken(DefaultHistoryToken, last: DefaultHistoryToken)
  /// The token is another store's.
  case foreignToken(DefaultHistoryToken)
  /// The store keeps no history.
  case notKept
}

extension HistoryError: LocalizedError, CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .tokenExpired(let token, let oldest):
      "What happened after token \(token) is not kept any more; the oldest token that the history goes back to is \(oldest)."
    case .unknownToken(let token, let last):
      "The store has not come to token \(token); its last one is \(last)."
    case .foreignToken(let token):
      "Token \(token) belongs to another store."
    case .notKept:
      "The store keeps no history."
    }
  }

  /// The error as a sentence.
  public var errorDescription: String? { description }
}

extension HistoryError {
  /// Runs a closure, and says in terms of a store's tokens what the record layer says in terms of numbers.
  static func translating<Result>(_ storeIdentifier: String, _ body: () throws -> Result) throws -> Result {
    func token(_ number: UInt64) -> DefaultHistoryToken {
      DefaultHistoryToken(Records.HistoryToken(rawValue: number), of: storeIdentifier)
    }
    do {
      return try body()
    } catch RecordError.historyExpired(let number, let oldest) {
      throw HistoryError.tokenExpired(token(number), oldest: token(oldest))
    } catch RecordError.unknownHistoryToken(let number, let last) {
      throw HistoryError.unknownToken(token(number), last: token(last))
    } catch RecordError.historyNotKept {
      throw HistoryError.notKept
    }
  }
}
