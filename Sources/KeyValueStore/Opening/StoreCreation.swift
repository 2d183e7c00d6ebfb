import CLMDB

/// Creates a store in a folder of which the caller has the writer lock.
///
/// The data file is written under another name, synced, and then renamed. So a store exists or does not, and what an
/// interruption leaves is recognised by its name and thrown away.
struct StoreCreation {
  /// Enough for the first few pages; opening the store gives it its real map.
  private static let mapBytes = 1 << 20

  let paths: StorePaths
  let options: Environment.Options
  let files: any FileSystem
  let committer: any Committer

  /// Creates the data file. `folder` is the open folder.
  func run(in folder: OpenFile) throws(StoreError) {
    do {
      try removeUnfinished()
      try ReaderTable(path: paths[StorePaths.unfinishedReaders], files: files).reserve(options)
      try writeData()
      // Before the new name, because nobody would look for it after that.
      try files.remove(paths[StorePaths.unfinishedReaders])
      try files.rename(paths[StorePaths.unfinishedData], to: paths[StorePaths.data])
      if committer.isDurable { try files.sync(folder) }
    } catch {
      // It is thrown away by the next creation too.
      try? removeUnfinished()
      if let error = error as? FileError { throw StoreError(error) }
      if let error = error as? StoreError { throw error }
      throw .damaged(path: paths.directory, reason: "it could not be created")
    }
  }

  private func removeUnfinished() throws(FileError) {
    try files.remove(paths[StorePaths.unfinishedData])
    try files.remove(paths[StorePaths.unfinishedReaders])
  }

  private func writeData() throws(StoreError) {
    let engine = try Engine(
      opening: paths[StorePaths.unfinishedData], flags: MDB_NOSUBDIR | committer.engineFlags, mapBytes: Self.mapBytes,
      path: paths.directory, options: options)
    defer { engine.close() }
    var transaction: OpaquePointer?
    try engine.check(mdb_txn_begin(engine.handle, nil, 0, &transaction), "Beginning the first write")
    guard let transaction else { return }
    do throws(StoreError) { try putRecord(engine, transaction) } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    switch committer.commit(transaction) {
    case .committed: return
    case .refused(let code), .unknown(let code): throw engine.error(code, "Committing the first write")
    }
  }

  private func putRecord(_ engine: Engine, _ transaction: OpaquePointer) throws(StoreError) {
    var table: MDB_dbi = 0
    let create = UInt32(MDB_CREATE)
    try engine.check(mdb_dbi_open(transaction, Table.storeRecordName, create, &table), "Creating the store's record")
    let record = StoreRecord(identifier: StoreIdentifier(), seed: .random(in: .min ... .max))
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
