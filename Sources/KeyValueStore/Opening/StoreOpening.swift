import CLMDB

/// Opens the store in a folder, step by step: look at everything without changing anything, take the writer lock, create
/// what is missing, let LMDB open its files.
struct StoreOpening {
  let paths: StorePaths
  let options: Environment.Options
  let files: any FileSystem
  let committer: any Committer
  var isTemporary = false

  init(at directory: String, options: Environment.Options, files: any FileSystem, committer: any Committer) {
    paths = StorePaths(directory: StorePaths.withoutTrailingSlashes(directory))
    self.options = options.limited
    self.files = files
    self.committer = committer
  }

  var directory: String { paths.directory }
  private var isWriting: Bool { options.access == .readWrite }

  /// Opens the store in a folder that exists. `onClose` is called when it has been closed again.
  func open(onClose: @escaping @Sendable () -> Void) throws(StoreError) -> EnvironmentCore {
    let folder = try openFolder()
    var data = try findData()
    let lock = isWriting ? try WriterLock(paths, files) : nil
    if data == nil {
      guard isWriting else { throw .noSuchStore(path: directory) }
      // Another process may have created it between the look and the lock.
      data = try findData()
      if data == nil { data = try create(in: folder) }
    }
    guard let data else { throw .noSuchStore(path: directory) }
    return try openEngine(StoreResources(data: data, folder: folder, writerLock: lock), onClose)
  }

  /// The data file, after a look at it; nil when the folder is vacant. Nothing is changed or created here.
  private func findData() throws(StoreError) -> DataFile? {
    guard case .occupied(let names) = try StoreFolder(paths, files) else { return nil }
    let data = try DataFile(paths, files, for: isWriting ? .writing : .reading)
    try data.check()
    // Without its two lock files it may be anybody's, and going on would create them. If LMDB's own is missing, nobody has
    // the file open, and only then may it be read without LMDB's lock.
    let isUnlocked = !names.contains(StorePaths.readers)
    if isUnlocked || !names.contains(StorePaths.writerLock) {
      let engine = try Engine(
        opening: directory, flags: MDB_RDONLY | (isUnlocked ? MDB_NOLOCK : 0), mapBytes: options.mapBytesInitial,
        path: directory, options: options)
      defer { engine.close() }
      _ = try engine.readContents()
    }
    return data
  }

  private func create(in folder: OpenFile) throws(StoreError) -> DataFile {
    try StoreCreation(paths: paths, options: options, files: files, committer: committer).run(in: folder)
    return try DataFile(paths, files, for: isWriting ? .writing : .reading)
  }

  private func openEngine(
    _ resources: StoreResources, _ onClose: @escaping @Sendable () -> Void
  ) throws(StoreError) -> EnvironmentCore {
    try ReaderTable(path: paths[StorePaths.readers], files: files).reserve(options)
    let engine = try Engine(
      opening: directory, flags: isWriting ? committer.engineFlags : MDB_RDONLY, mapBytes: options.mapBytesInitial,
      path: directory, options: options)
    do throws(StoreError) {
      let contents = try engine.readContents()
      if isWriting {
        try resources.data.extendToLastPage()
        try engine.clearStaleReaders()
        try resources.writerLock?.nameHolder()
      }
      return try EnvironmentCore(
        engine, contents, committer: committer, resources: resources, isTemporary: isTemporary, onClose: onClose)
    } catch {
      engine.close()
      throw error
    }
  }
}
