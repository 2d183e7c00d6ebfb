import Foundation

/// What is wrong with where a stack is to be.
public enum DataStackError: Error, Sendable, Hashable {
  /// A store's folder is a file URL.
  case notAFileURL(URL)
  /// The store that the application brings along can't be copied.
  case unreadablePreloadedStore(path: String, reason: String)
}

extension DataStackError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .notAFileURL(let url): "\(url) is no file URL, and a store is a folder."
    case .unreadablePreloadedStore(let path, let reason): "The preloaded store \(path) cannot be copied: \(reason)"
    }
  }
}
