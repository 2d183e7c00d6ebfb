import CLMDB

/// Creates a store in a folder of which the caller has the writer lock, and in which nobody else is.
///
/// Everything is written under other names or with nothing in it that counts, and synced, before `data.mdb` and then
/// `checkpoint` get their names. So a store exists or does not, and what an interruption leaves is recognised by its names
/// and thrown away.
struct StoreCreation {
  /// Enough for the first few pages; opening the store gives it its real map.
  private static let mapBytes = 1 << 20

  let paths: StorePaths
  let options: Environment.Options
  let files: any FileSystem
  /// Whether the store will have a log. If not, nothing has to be synced either.
  let isLogged: Bool

  /// Creates the files. `folder` is the open folder.
  func run(in folder: OpenFile) throws(StoreError) {
    do {
      try removeUnfinished(in: folder)
      try ReaderTable(path: paths[StorePaths.unfinishedReaders], files: files).reserve(options)
      let record = StoreRecord(identifier: StoreIdentifier(), seed: .random(in: .min ... .max))
      try writeData(record)
      // Before the new name, because nobody would look for it after that.
      try files.remove(paths[StorePaths.unfinishedReaders])
      if isLogged {
        try completeLogged(record.identifier, in: folder)
      } else {
        try files.rename(paths[StorePaths.unfinishedData], to: paths[StorePaths.data])
      }
    } catch {
      // It is thrown away by the next creation too.
      try? removeUnfinished(in: folder)
      if let error = error as? FileError { throw StoreError(error) }
      if let error = error as? StoreError { throw error }
      throw .damaged(path: paths.directory, reason: "it could not be created")
    }
  }

  private func removeUnfinished(in folder: OpenFile) throws(FileError) {
    if try files.status(of: paths[StorePaths.checkpoint]) != nil { return }
    try files.remove(paths[StorePaths.unfinishedData])
    try files.remove(paths[StorePaths.unfinishedReaders])
    if try files.status(of: paths[StorePaths.unfinishedCheckpoint]) == nil { return }
    for name in [StorePaths.data, StorePaths.readers] + StorePaths.segments { try files.remove(paths[name]) }
    // It tells that the others are remains, so it must not be gone before them.
    try files.sync(folder)
    try files.remove(paths[StorePaths.unfinishedCheckpoint])
  }

  private func writeData(_ record: StoreRecord) throws(StoreError) {
    let engine = try Engine(
      opening: paths[StorePaths.unfinishedData], flags: MDB_NOSUBDIR | MDB_NOSYNC, mapBytes: Self.mapBytes,
      path: paths.directory, options: options)
    defer { engine.close() }
    try engine.write { (transaction) throws(StoreError) in
      try put(record, engine, transaction)
      if isLogged { try engine.putLSN(0, transaction) }
    }
  }

  private func put(_ record: StoreRecord, _ engine: Engine, _ transaction: OpaquePointer) throws(StoreError) {
    let table = try engine.createTable(Table.storeRecordName, transaction)
    let code = StoreRecord.key.withUnsafeBytes { key in
      record.bytes.withUnsafeBytes { value in
        var key = MDB_val(key)
        var value = MDB_val(value)
        return mdb_put(transaction, table, &key, &value, 0)
      }
    }
    try engine.check(code, "Writing the store's record")
  }
}
