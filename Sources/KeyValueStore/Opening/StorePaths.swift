import Glibc

/// The names of a store's files.
struct StorePaths: Sendable {
  /// LMDB's data.
  static let data = "data.mdb"
  /// LMDB's table of readers and its mutexes. While this process has the store open it must not open this file itself:
  /// closing any descriptor of it would drop the locks that LMDB holds on it.
  static let readers = "lock.mdb"
  /// Who writes: see `WriterLock`.
  static let writerLock = "store.lock"
  /// The ring of checkpoint records. A store exists when this does: creation gives it its name last.
  static let checkpoint = "checkpoint"
  /// The two segments of the log.
  static let segments = ["wal.0", "wal.1"]
  /// Left by a writer whose sync has failed: see `Poison`.
  static let failedSync = "sync.failed"
  /// The ring while the store is being created.
  static let unfinishedCheckpoint = "checkpoint.tmp"
  /// The data while the store is being created.
  static let unfinishedData = "creating.mdb"
  /// LMDB's own lock file beside that.
  static let unfinishedReaders = "creating.mdb-lock"
  /// Says that what is in the folder is a backup that is not complete yet: see `BackupTarget`.
  static let unfinishedBackup = "backup.unfinished"
  /// Every name that a store can have in its folder.
  static let all: Set<String> = Set(segments).union([
    data, readers, writerLock, checkpoint, failedSync, unfinishedCheckpoint, unfinishedData, unfinishedReaders,
    unfinishedBackup,
  ])

  let directory: String

  subscript(name: String) -> String { directory + "/" + name }

  private static let slash = UInt8(ascii: "/")

  /// The folder that a path is in.
  static func parent(of path: String) -> String {
    guard let end = path.utf8.lastIndex(of: slash) else { return "." }
    let parent = withoutTrailingSlashes(String(path[..<end]))
    return parent.isEmpty ? "/" : parent
  }

  /// The same path from the root, so that it stays the same when the process changes its working directory. An empty one,
  /// which leads nowhere, stays empty.
  static func absolute(_ path: String) -> String {
    if path.isEmpty || path.utf8.first == slash { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    let directory = String(cString: current)
    return directory == "/" ? "/" + path : directory + "/" + path
  }

  /// A path in bytes, not characters: a slash and an accent would be one character.
  static func withoutTrailingSlashes(_ path: String) -> String {
    var end = path.utf8.count
    while end > 1, path.utf8.dropFirst(end - 1).first == slash { end -= 1 }
    return String(path.utf8.prefix(end)) ?? path
  }
}
