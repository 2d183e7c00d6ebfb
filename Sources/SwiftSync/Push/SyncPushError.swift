import Foundation

/// Why a push did not settle anything, or could not begin. Everything is as pending as it was.
public enum SyncPushError: Error, Equatable, Sendable {
  /// A closure has answered for rows that it was not given.
  case unknownIdentities(model: String, [String])
  /// A model stands twice in the list of those that are to be pushed together.
  case repeatedModel(String)
  /// A parked change can't be given up, because what the server has of its row isn't known. It takes the server's row.
  case baseUnknown(model: String, identity: String)
  /// A row that the server does not have can't be deleted here, because others would go with it, by a cascade, that have local changes.
  case dirtyRowsBelow(model: String, identity: String, [String])
}

extension SyncPushError: LocalizedError, CustomStringConvertible {
  /// The error as a sentence.
  public var errorDescription: String? { description }

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unknownIdentities(let model, let identities):
      "A push of \(model) was answered for rows that were not sent: \(identities.joined(separator: ", "))."
    case .repeatedModel(let model):
      "\(model) was named twice for one push."
    case .baseUnknown(let model, let identity):
      "What the server has of \(model) \(identity) isn't known, so its row is needed to give up the local change."
    case .dirtyRowsBelow(let model, let identity, let rows):
      "\(model) \(identity) can't be deleted: rows would go with it that have local changes: "
        + rows.joined(separator: ", ") + "."
    }
  }
}
