import FoundationEssentials

/// Why a sync did nothing. Whatever is thrown, the store is as it was before.
public enum SyncError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
  /// The payload for a model has the wrong shape, lacks a required value, or holds one that can't be read.
  case invalidPayload(model: String, reason: String)
  /// A predicate that is to limit a sync has parts that the store can't look for by itself.
  case unsupportedPredicate(model: String, parts: [String])
  /// A payload that arrives in chunks could not be kept in a temporary file.
  case temporaryFile(reason: String)
  /// A sync was asked for from within another sync of the store, which lets nothing else in until it is done: it would have
  /// waited for itself.
  case syncInsideSync(model: String)
  /// The task that asked for the sync was cancelled.
  case cancelled
  /// The models of a container contradict what syncing needs.
  case schemaValidation(reason: String)
  /// The container could not be opened.
  case containerInitialization(reason: String)

  /// The error as a sentence.
  public var errorDescription: String? { description }

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .invalidPayload(let model, let reason): "Invalid payload for \(model): \(reason)"
    case .unsupportedPredicate(let model, let parts):
      "A sync of \(model) can't be limited by \(parts.joined(separator: ", ")): the store can't look for that by itself."
    case .temporaryFile(let reason): "The payload could not be kept in a temporary file: \(reason)"
    case .syncInsideSync(let model):
      "A sync of \(model) was asked for from within another sync of the same store, and would have waited for itself. Do it when "
        + "that one is done, or nest the payload's objects."
    case .cancelled: "The sync was cancelled."
    case .schemaValidation(let reason), .containerInitialization(let reason): reason
    }
  }
}
