import Glibc

/// A file operation that failed: which one, on what, and the system's reason.
package struct FileError: Error, Sendable, Equatable {
  package let operation: FileOperation
  package let path: String
  package let errno: Int32
  /// Whether a part of what was to be written may have been.
  package let isPartial: Bool

  package init(_ operation: FileOperation, _ path: String, errno: Int32, isPartial: Bool = false) {
    self.operation = operation
    self.path = path
    self.errno = errno
    self.isPartial = isPartial
  }
}

extension FileError {
  /// That an open file has no name any more.
  static func removed(_ path: String) -> FileError { FileError(.status, path, errno: ENOENT) }

  /// Whether a full disk refused a write before its first byte, so that the file is certainly as it was.
  var hasWrittenNothing: Bool { operation == .write && !isPartial && (errno == ENOSPC || errno == EDQUOT) }

  /// Whether the file had no name any more: looking at an open file does not fail so otherwise.
  var isOfRemovedFile: Bool { operation == .status && errno == ENOENT }
}

/// What a `FileSystem` can be asked to do.
package enum FileOperation: String, Sendable {
  case status = "Looking at"
  case list = "Listing"
  case makeFolder = "Creating the folder"
  case open = "Opening"
  case read = "Reading"
  case write = "Writing"
  case truncate = "Truncating"
  case reserve = "Reserving space for"
  case sync = "Syncing"
  case lock = "Locking"
  case rename = "Renaming"
  case remove = "Removing"

  /// Whether a missing permission means that the store can't be written, rather than that it can't be seen.
  fileprivate var changesFiles: Bool {
    switch self {
    case .makeFolder, .write, .truncate, .reserve, .rename, .remove: true
    case .status, .list, .open, .read, .sync, .lock: false
    }
  }
}

extension StoreError {
  /// The error that a caller of the store gets for a failed file operation.
  package init(_ error: FileError, opening use: FileUse = .reading) {
    switch error.errno {
    case ENOSPC, EDQUOT:
      self = .diskFull(path: error.path)
    case EROFS:
      self = .notWritable(path: error.path)
    case EACCES, EPERM:
      let needsWriting = error.operation.changesFiles || (error.operation == .open && use != .reading)
      self =
        needsWriting
        ? .notWritable(path: error.path)
        : .system(operation: error.operation.rawValue, path: error.path, errno: error.errno)
    case ENOTDIR:
      self = .notADirectory(path: error.path)
    default:
      self = .system(operation: error.operation.rawValue, path: error.path, errno: error.errno)
    }
  }
}
