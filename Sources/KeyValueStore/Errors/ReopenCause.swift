/// Why a store takes no more writes until it is opened again.
public enum ReopenCause: Sendable, Hashable {
  /// A call to the operating system failed, and what it has done is not known.
  case failedCall(operation: String, path: String, errno: Int32)
  /// The files of the store were removed while it was open. What was written since is lost.
  case removed
  /// LMDB could not commit, or is in a state in which it does nothing more.
  case engine
  /// The system refused the address space in which LMDB shows the data.
  case mapLost
}

extension ReopenCause {
  /// The first failure of a file operation; nil when it was LMDB.
  init(_ error: FileError?) {
    guard let error else {
      self = .engine
      return
    }
    self =
      error.isOfRemovedFile
      ? .removed : .failedCall(operation: error.operation.rawValue, path: error.path, errno: error.errno)
  }
}

extension ReopenCause: CustomStringConvertible {
  /// The part of a sentence behind a colon.
  public var description: String {
    switch self {
    case .failedCall(let operation, let path, let errno):
      "\(operation) '\(path)' failed with: \(StoreError.meaning(of: errno))"
    case .removed: "its files were removed"
    case .engine: "LMDB could not commit"
    case .mapLost: "the system refused the address space for its data"
    }
  }
}
