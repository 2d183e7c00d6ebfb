/// The names of a store's files.
struct StorePaths: Sendable {
  /// LMDB's data. It exists as soon as the store does: creation gives it this name last.
  static let data = "data.mdb"
  /// LMDB's table of readers and its mutexes. While this process has the store open it must not open this file itself:
  /// closing any descriptor of it would drop the locks that LMDB holds on it.
  static let readers = "lock.mdb"
  /// Who writes: see `WriterLock`.
  static let writerLock = "store.lock"
  /// The data while the store is being created.
  static let unfinishedData = "creating.mdb"
  /// LMDB's own lock file beside that.
  static let unfinishedReaders = "creating.mdb-lock"

  let directory: String

  subscript(name: String) -> String { directory + "/" + name }

  /// The folder that a path is in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    let parent = withoutTrailingSlashes(String(path[..<slash]))
    return parent.isEmpty ? "/" : parent
  }

  static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
