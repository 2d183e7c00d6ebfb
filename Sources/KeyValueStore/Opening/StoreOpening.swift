import CLMDB

/// Opens the store in a folder, step by step: look at everything without changing anything, take the locks, create what is
/// missing, recover what has to be, let LMDB open its files. docs/recovery.md has the rules.
struct StoreOpening {
  let paths: StorePaths
  let options: Environment.Options
  let files: any FileSystem

  init(at directory: String, options: Environment.Options, files: any FileSystem) {
    paths = StorePaths(directory: StorePaths.absolute(StorePaths.withoutTrailingSlashes(directory)))
    self.options = options.limited
    self.files = files
  }

  var directory: String { paths.directory }
  private var isWriting: Bool { options.access == .readWrite }

  /// Opens the store in a folder that exists. `onClose` is called when it has been closed again.
  func open(onClose: @escaping @Sendable () -> Void) throws(StoreError) -> EnvironmentCore {
    let folder = try openFolder()
    // Before anything is taken or created: it may be somebody else's folder.
    if try StoreFolder(paths, files) == .vacant, !isWriting { throw .noSuchStore(path: directory) }
    let lock = isWriting ? try WriterLock(paths, files) : nil
    guard let presence = try presence() else { return try openUnlocked(folder, onClose) }
    try checkStillThere(folder)
    // Another process may have created it between the look and the lock.
    let isNew = try StoreFolder(paths, files) == .vacant
    if isNew {
      guard isWriting, presence.isAlone else { throw .noSuchStore(path: directory) }
      try StoreCreation(paths: paths, options: options, files: files, isLogged: true).run(in: folder)
    }
    let core =
      isWriting
      ? try openForWriting(folder, presence, lock, isNew: isNew, onClose)
      : try openForReading(folder, presence, onClose)
    do { try presence.admitOthers() } catch {
      core.tearDown()
      throw StoreError(error)
    }
    return core
  }

  /// Nil where there is no lock file and none can be made: a copy on a medium for reading only, where nobody writes.
  private func presence() throws(StoreError) -> Presence? {
    do throws(FileError) {
      return try Presence(paths, files, for: options.access)
    } catch {
      if !isWriting, error.operation == .open, try !exists(StorePaths.writerLock) { return nil }
      throw StoreError(error, opening: .creating)
    }
  }

  /// Whoever moves a store aside has its locks meanwhile, so that this may have waited for them.
  private func checkStillThere(_ folder: OpenFile) throws(StoreError) {
    let isThere: Bool
    do throws(FileError) {
      isThere = try files.status(of: folder).identity == files.status(of: directory)?.identity
    } catch {
      throw StoreError(error)
    }
    if !isThere { throw .inUse(path: directory) }
  }

  private func exists(_ name: String) throws(StoreError) -> Bool {
    do { return try files.status(of: paths[name]) != nil } catch { throw StoreError(error) }
  }

  // MARK: - Writing

  private func openForWriting(
    _ folder: OpenFile, _ presence: Presence, _ lock: WriterLock?, isNew: Bool,
    _ onClose: @escaping @Sendable () -> Void
  ) throws(StoreError) -> EnvironmentCore {
    let storeFiles = try StoreFiles(paths, files, folder: folder, for: .writing)
    let recovery = Recovery(files: storeFiles, options: options)
    let store = try isNew ? recovery.openNew() : recovery.open(isAlone: presence.isAlone)
    do throws(StoreError) {
      let contents = try store.engine.readContents()
      try lock?.nameHolder()
      let poison = Poison(paths, files)
      let monitor = StoreMonitor()
      monitor.count { $0.commitsRecovered = store.commitsRecovered }
      return EnvironmentCore(
        store.engine, contents, journal: Journal(store, poison: poison, monitor: monitor), poison: poison,
        monitor: monitor,
        resources: StoreResources(data: storeFiles.data, folder: folder, writerLock: lock, presence: presence),
        isTemporary: false, onClose: onClose)
    } catch {
      store.checkpointer.releasePin()
      store.engine.close()
      throw error
    }
  }

  // MARK: - Reading

  private func openForReading(
    _ folder: OpenFile, _ presence: Presence, _ onClose: @escaping @Sendable () -> Void
  ) throws(StoreError) -> EnvironmentCore {
    if presence.isAlone {
      let storeFiles = try StoreFiles(paths, files, folder: folder, for: .reading)
      if try !storeFiles.isClean() {
        guard presence.mayWrite else { throw .needsRecovery(path: directory) }
        try recover(folder)
      }
    }
    return try openReader(folder, presence, flags: 0, onClose)
  }

  /// Recovers the store like a writer, and lets go of everything again.
  private func recover(_ folder: OpenFile) throws(StoreError) {
    let storeFiles: StoreFiles
    do throws(StoreError) {
      storeFiles = try StoreFiles(paths, files, folder: folder, for: .writing)
    } catch .notWritable {
      throw .needsRecovery(path: directory)
    }
    let store = try Recovery(files: storeFiles, options: options).rollBack()
    store.checkpointer.releasePin()
    store.engine.close()
  }

  private func openUnlocked(
    _ folder: OpenFile, _ onClose: @escaping @Sendable () -> Void
  ) throws(StoreError) -> EnvironmentCore {
    let storeFiles = try StoreFiles(paths, files, folder: folder, for: .reading)
    guard try storeFiles.isClean() else { throw .needsRecovery(path: directory) }
    return try openReader(folder, nil, flags: try exists(StorePaths.readers) ? 0 : MDB_NOLOCK, onClose)
  }

  private func openReader(
    _ folder: OpenFile, _ presence: Presence?, flags: Int32, _ onClose: @escaping @Sendable () -> Void
  ) throws(StoreError) -> EnvironmentCore {
    let data = try DataFile(paths, files, for: .reading)
    try data.check()
    if flags & MDB_NOLOCK == 0 {
      try ReaderTable(path: paths[StorePaths.readers], files: files).reserve(options)
    }
    let engine = try Engine(
      opening: directory, flags: MDB_RDONLY | flags, mapBytes: options.mapBytesInitial, path: directory,
      options: options)
    do throws(StoreError) {
      return EnvironmentCore(
        engine, try engine.readContents(), journal: nil, poison: Poison(paths, files),
        monitor: StoreMonitor(),
        resources: StoreResources(data: data, folder: folder, writerLock: nil, presence: presence),
        isTemporary: false, onClose: onClose)
    } catch {
      engine.close()
      throw error
    }
  }
}
