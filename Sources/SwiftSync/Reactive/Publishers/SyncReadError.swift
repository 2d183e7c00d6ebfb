import Foundation

/// Why a live query cannot be what was asked for.
public enum SyncReadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A key path given as a relationship, or to refresh on, leads along no stored relationship.
  case noRelationship(model: String, path: String)

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .noRelationship(let model, let path):
      "\(path) leads along no stored relationship of \(model)."
    }
  }
}

extension SyncReadError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}
