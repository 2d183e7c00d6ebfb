/// What a folder is to somebody who wants to open it as a store.
enum StoreFolder {
  /// There is nothing in it, or what the interrupted creation of a store has left.
  case vacant
  /// There is a data file.
  case occupied(names: Set<String>)

  /// Looks at a folder without changing it; throws when something else is in it.
  init(_ paths: StorePaths, _ files: any FileSystem) throws(StoreError) {
    let names: Set<String>
    do { names = Set(try files.names(in: paths.directory)) } catch { throw StoreError(error) }
    if names.contains(StorePaths.data) {
      self = .occupied(names: names)
      return
    }
    let own: Set = [StorePaths.writerLock, StorePaths.unfinishedData, StorePaths.unfinishedReaders]
    guard let foreign = names.subtracting(own).min() else {
      self = .vacant
      return
    }
    if foreign == StorePaths.readers {
      throw .damaged(path: paths.directory, reason: "its \(StorePaths.data) is missing")
    }
    throw .notAStore(path: paths.directory, reason: "it has '\(foreign)' in it, and no \(StorePaths.data)")
  }
}
