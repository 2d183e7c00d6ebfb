import Foundation

/// What is wrong with where a stack is to be.
public enum DataStackError: Error, Sendable, Hashable {
  /// A store's folder is a file URL.
  case notAFileURL(URL)
  /// The store has objects of an entity that the model has elsewhere in its tree of entities: it has a parent that it did not have, or
  /// not the one that it had. They are stored with that one's, and nothing takes them there.
  case movedEntity(String, from: String, to: String)
  /// The store that the application brings along can't be copied.
  case unreadablePreloadedStore(path: String, reason: String)
}

extension DataStackError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .notAFileURL(let url): "\(url) is no file URL, and a store is a folder."
    case .movedEntity(let entity, let from, let to):
      "The store has objects of \(entity) among those of \(from), and the model has them among those of \(to): "
        + "an entity that has objects can't be given another place in the tree of entities."
    case .unreadablePreloadedStore(let path, let reason): "The preloaded store \(path) cannot be copied: \(reason)"
    }
  }
}
