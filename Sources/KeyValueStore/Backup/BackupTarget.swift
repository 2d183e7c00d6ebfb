import CLMDB
import Glibc

/// The folder that a backup is written to.
///
/// From before its first file until it is complete there is a mark in it, so that what an interruption leaves is not taken
/// for an empty folder, in which a store could be created.
struct BackupTarget {
  let paths: StorePaths
  private let files: any FileSystem
  private let folder: OpenFile
  private let lock: WriterLock
  private let presence: Presence

  /// Everything that a backup may leave, in an order in which it can be removed.
  private static let remains =
    [StorePaths.checkpoint, StorePaths.unfinishedCheckpoint, StorePaths.data, StorePaths.unfinishedData]
    + [StorePaths.unfinishedReaders] + StorePaths.segments

  /// Finds or creates the folder, and makes sure that it is free for a backup of the store whose folder is `source`.
  init(_ directory: String, _ files: any FileSystem, outsideOf source: OpenFile) throws(StoreError) {
    let opening = StoreOpening(at: directory, options: Environment.Options(), files: files)
    paths = opening.paths
    self.files = files
    try Self.checkIsOutside(paths.directory, source, files)
    _ = try opening.prepareFolder()
    folder = try opening.openFolder()
    try Self.checkIsFree(paths, files)
    lock = try WriterLock(paths, files)
    do { presence = try Presence(paths, files, for: .readWrite) } catch { throw StoreError(error, opening: .creating) }
    // Somebody may have come between the look and the lock.
    guard presence.isAlone else { throw .folderNotEmpty(path: paths.directory) }
    try Self.checkIsFree(paths, files)
  }

  var directory: String { paths.directory }

  static func checkIsFree(_ paths: StorePaths, _ files: any FileSystem) throws(StoreError) {
    let names: Set<String>
    do { names = Set(try files.names(in: paths.directory)) } catch { throw StoreError(error) }
    let isInterrupted = names.contains(StorePaths.unfinishedBackup) && !names.contains(StorePaths.checkpoint)
    let allowed =
      isInterrupted ? remains + [StorePaths.unfinishedBackup, StorePaths.writerLock] : [StorePaths.writerLock]
    if !names.subtracting(allowed).isEmpty { throw .folderNotEmpty(path: paths.directory) }
  }

  /// Goes up from a path, or from where its missing part begins, and throws if that leads through `source`.
  private static func checkIsOutside(
    _ directory: String, _ source: OpenFile, _ files: any FileSystem
  ) throws(StoreError) {
    do throws(FileError) {
      let own = try files.status(of: source).identity
      var path = directory
      while try files.status(of: path) == nil, path != StorePaths.parent(of: path) {
        path = StorePaths.parent(of: path)
      }
      var previous: FileIdentity?
      // The folder above the topmost one is that one again.
      while let status = try files.status(of: path), status.isFolder, status.identity != previous {
        if status.identity == own { throw FileError(.makeFolder, directory, errno: EINVAL) }
        previous = status.identity
        path += "/.."
      }
    } catch  where error.operation == .makeFolder {
      throw .insideOfStore(path: directory)
    } catch {
      throw StoreError(error)
    }
  }

  // MARK: - Steps

  /// Leaves the mark, and removes what an earlier backup has left.
  func begin() throws(StoreError) {
    do throws(FileError) {
      _ = try files.open(paths[StorePaths.unfinishedBackup], for: .creating)
      try files.sync(folder)
      for name in Self.remains { try files.remove(paths[name]) }
    } catch {
      throw StoreError(error, opening: .creating)
    }
  }

  /// The file for the copy.
  func openData() throws(StoreError) -> OpenFile {
    do { return try files.open(paths[StorePaths.unfinishedData], for: .creating) } catch {
      throw StoreError(error, opening: .creating)
    }
  }

  /// Checks the copy, and makes it a store.
  func complete(_ record: StoreRecord, _ options: Environment.Options) throws {
    let data = DataFile(try openData(), path: directory, files)
    let newest = try data.newestMetaPage().transaction
    let meta = try SnapshotMeta(try data.meta(of: newest).bytes)
    let found = try PageCheck.report(on: data, meta)
    try found.throwIfDamaged(directory)
    guard found.record == record else {
      throw StoreError.damaged(path: directory, reason: "its copy does not say which store it is")
    }
    // A store in memory has no log, so nobody has counted its commits.
    if found.lsn == nil { try countCommits(options) }
    let creation = StoreCreation(paths: paths, options: options, files: files, isLogged: true)
    try creation.completeLogged(record.identifier, lsn: found.lsn ?? 0, in: folder)
    do throws(FileError) {
      try files.remove(paths[StorePaths.unfinishedBackup])
      try files.sync(folder)
    } catch {
      throw StoreError(error)
    }
  }

  private func countCommits(_ options: Environment.Options) throws(StoreError) {
    let engine = try Engine(
      opening: paths[StorePaths.unfinishedData], flags: MDB_NOSUBDIR | MDB_NOSYNC, mapBytes: options.mapBytesInitial,
      path: directory, options: options)
    defer { engine.close() }
    try engine.write { (transaction) throws(StoreError) in try engine.putLSN(0, transaction) }
  }

  /// Removes what there is of a backup that has failed: first what could be taken for a store, and last the mark.
  func discard() {
    do throws(FileError) {
      for name in Self.remains { try files.remove(paths[name]) }
      try files.sync(folder)
      try files.remove(paths[StorePaths.unfinishedBackup])
    } catch {
      // The mark is still there then.
    }
  }
}
