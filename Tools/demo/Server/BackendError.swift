import Foundation

/// Why the server does not do what it was asked for.
enum BackendError: Error, Equatable {
  /// The body is longer than the server takes.
  case bodyTooLong(bytes: Int)
  /// The body is no JSON object.
  case noObject(reason: String)
  /// There is nothing at the path.
  case noSuchPath(String)
  /// What is at the path can't be used so.
  case methodNotAllowed(String, path: String)
  /// There is no such row, or not any more.
  case notFound(kind: String, id: String)
  /// A value names a row that does not exist.
  case unknownReference(key: String, id: String)
  /// A value is missing or not as it must be.
  case invalid(String)
  /// The identity is taken.
  case duplicate(kind: String, id: String)

  var status: Int {
    switch self {
    case .bodyTooLong: 413
    case .noObject: 400
    case .noSuchPath, .notFound: 404
    case .methodNotAllowed: 405
    case .unknownReference, .invalid: 422
    case .duplicate: 409
    }
  }
}

extension BackendError: CustomStringConvertible {
  var description: String {
    switch self {
    case .bodyTooLong(let bytes): "A body of \(bytes) bytes is too long: \(Backend.bodyBytesMax) are taken."
    case .noObject(let reason): "The body has to be a JSON object: \(reason)."
    case .noSuchPath(let path): "There is nothing at \(path)."
    case .methodNotAllowed(let method, let path): "\(method) can't be used with \(path)."
    case .notFound(let kind, let id): "There is no \(kind) \(id)."
    case .unknownReference(let key, let id): "\(key): there is no \(id)."
    case .invalid(let sentence): sentence
    case .duplicate(let kind, let id): "There is a \(kind) \(id) already."
    }
  }
}
