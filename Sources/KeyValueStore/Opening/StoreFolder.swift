/// What a folder is to somebody who wants to open it as a store.
enum StoreFolder: Equatable {
  /// There is nothing in it, or what the interrupted creation of a store has left.
  case vacant
  /// There is a store.
  case occupied

  /// Looks at a folder without changing it; throws when something else is in it.
  init(_ paths: StorePaths, _ files: any FileSystem) throws(StoreError) {
    let names: Set<String>
    do { names = Set(try files.names(in: paths.directory)) } catch { throw StoreError(error) }
    func isMissing(_ name: String) -> StoreError { .damaged(path: paths.directory, reason: "its \(name) is missing") }
    if names.contains(StorePaths.checkpoint) {
      if let missing = ([StorePaths.data] + StorePaths.segments).first(where: { !names.contains($0) }) {
        throw isMissing(missing)
      }
      self = .occupied
      return
    }
    if names.contains(StorePaths.unfinishedBackup) {
      throw .notAStore(path: paths.directory, reason: "it has a backup in it that was not completed")
    }
    let remains = [StorePaths.writerLock, StorePaths.unfinishedData, StorePaths.unfinishedReaders]
    // With the unfinished checkpoint the others are a part of the same creation. Without it they are somebody's.
    let more =
      names.contains(StorePaths.unfinishedCheckpoint)
      ? [StorePaths.unfinishedCheckpoint, StorePaths.data, StorePaths.readers] + StorePaths.segments : []
    guard let foreign = names.subtracting(remains + more).min() else {
      self = .vacant
      return
    }
    if names.isSuperset(of: StorePaths.segments) { throw isMissing(StorePaths.checkpoint) }
    if names.contains(StorePaths.data) {
      throw .notAStore(
        path: paths.directory, reason: "its \(StorePaths.data) has no \(StorePaths.checkpoint) beside it")
    }
    throw .notAStore(path: paths.directory, reason: "it has '\(foreign)' in it, and no \(StorePaths.checkpoint)")
  }
}
