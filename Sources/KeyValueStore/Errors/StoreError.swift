import CLMDB

/// What can go wrong with a store. Every case is a sentence with the values that matter.
public enum StoreError: Error, Sendable, Equatable {
  // Opening.

  /// The path names a file, or something below a file.
  case notADirectory(path: String)
  /// Something is there, but this module didn't write it.
  case notAStore(path: String, reason: String)
  /// A store, but its data can't be trusted.
  case damaged(path: String, reason: String)
  /// A later version of this module wrote it.
  case newerFormat(path: String, found: Int, supported: Int)
  /// There is something in the folder that a backup was to be written to.
  case folderNotEmpty(path: String)
  /// A backup can't be written into the folder of the store itself.
  case insideOfStore(path: String)
  /// Nothing is there, and the opener only reads.
  case noSuchStore(path: String)
  /// The store is open, here or in another process, and can't be moved; or it has just been moved.
  case inUse(path: String)
  /// Another process writes. Its id and name are nil when the lock file does not say.
  case lockedByAnotherProcess(path: String, processID: Int32?, processName: String?)
  /// The folder is on a network file system, where neither locks nor mapped files hold what they promise.
  case onNetwork(path: String)
  /// This process has it open for reading only, which has to be closed before it can be opened for writing.
  case openForReadingOnly(path: String)

  // Media and system.

  /// No permission, or a file system mounted for reading only.
  case notWritable(path: String)
  /// No space is left. What was being written is not there.
  case diskFull(path: String)
  /// A call to the operating system failed for a reason without a case of its own.
  case system(operation: String, path: String, errno: Int32)
  /// LMDB failed for a reason without a case of its own.
  case engine(operation: String, path: String, code: Int32)
  /// The write was not acknowledged, and nobody can say what of it the medium has. It is there or not, as a whole, when the
  /// store has been opened again; until then there are no more writes.
  case outcomeUnknown(path: String, errno: Int32)
  /// Something has failed in a way that leaves it open what is on the disk, so nothing more is written.
  case mustReopen(path: String, cause: ReopenCause)
  /// The store has to be recovered, and the opener may not write to it.
  case needsRecovery(path: String)
  /// The last writer could not bring its changes to the medium, and other processes still read what only the system's cache
  /// has. They have to close the store before it can be recovered.
  case failedSync(path: String)

  // Limits.

  /// No more tables fit in `Environment.Options.tablesMax`.
  case tooManyTables(limit: Int)
  /// No more snapshots, of all processes, fit in `Environment.Options.readersMax`.
  case tooManyReaders(limit: Int)
  /// The transaction changes more than LMDB can hold in one.
  case transactionTooLarge
  /// Keys have at least one byte.
  case emptyKey
  /// The key is longer than keys may be.
  case keyTooLong(byteCount: Int, max: Int)
  /// The value is longer than values may be, or its length is negative.
  case valueSizeInvalid(byteCount: Int, max: Int)
  /// Two long keys agree in their beginning and in their hash, so only one of them can be stored.
  case keyCollision(table: String)
  /// The map has to grow, which has to wait for a snapshot that the waiting thread itself holds open.
  case snapshotBlocksGrowth(path: String)

  // Use.

  /// There is no such table, and the opener only reads.
  case noSuchTable(name: String)
  /// A table can't have this name.
  case invalidTableName(name: String, reason: String)
  /// The table belongs to another store, or to an earlier opening of this one.
  case tableOfAnotherEnvironment(name: String)
  /// The table was opened while the snapshot was already open. A later snapshot can read it.
  case tableOpenedAfterSnapshot(name: String)
  /// A snapshot, transaction, cursor or writer was used after the closure it was given to had ended.
  case transactionEnded
  /// A cursor has no current entry, or a write has happened since it was moved there.
  case cursorNotPositioned
  /// The environment was closed.
  case closed(path: String)
  /// The environment was opened by the process that this one is a fork of. Start a program anew instead, or open later.
  case forked(path: String)
  /// A transaction was used while a nested one was open in it.
  case nestedTransactionOpen
  /// A snapshot was begun inside of the body of a write, which can read by its transaction. The body runs again, and then
  /// the snapshot is possible.
  case snapshotInsideWrite
  /// A write was called from inside the body of another one.
  case writeInsideWrite
  /// The environment was opened for reading only.
  case readOnly(path: String)
}

extension StoreError: CustomStringConvertible {
  /// One sentence that says what happened, to what.
  public var description: String {
    switch self {
    case .notADirectory(let path): "'\(path)' is not a folder, and a store is one."
    case .notAStore(let path, let reason): "'\(path)' is not a store: \(reason)."
    case .damaged(let path, let reason): "The store '\(path)' is damaged: \(reason)."
    case .newerFormat(let path, let found, let supported):
      "The store '\(path)' has format \(found); this version reads formats up to \(supported)."
    case .folderNotEmpty(let path): "'\(path)' is not empty, and a backup needs a folder of its own."
    case .insideOfStore(let path): "'\(path)' lies in the folder of the store itself, and can't be its backup."
    case .noSuchStore(let path): "There is no store at '\(path)'."
    case .inUse(let path): "The store '\(path)' is open, or is just being moved."
    case .lockedByAnotherProcess(let path, let processID, let processName):
      "Another process\(Self.holder(processID, processName)) has the store '\(path)' open for writing."
    case .onNetwork(let path): "'\(path)' is on a network file system, which can't hold a store."
    case .openForReadingOnly(let path):
      "The store '\(path)' is open for reading only in this process; close it before opening it for writing."
    case .notWritable(let path): "No permission to write to '\(path)'."
    case .diskFull(let path): "No space is left for '\(path)'."
    case .system(let operation, let path, let errno):
      "\(operation) '\(path)' failed: \(Self.meaning(of: errno)) (errno \(errno))."
    case .engine(let operation, let path, let code):
      "\(operation) failed in the store '\(path)': \(Self.meaning(of: code))."
    case .outcomeUnknown(let path, let errno):
      "A write to '\(path)' failed so that nobody knows whether it is there (\(Self.meaning(of: errno))); close the "
        + "store and open it again to find out."
    case .needsRecovery(let path):
      "The store '\(path)' was not closed in good order and has to be recovered first; open it once with permission to "
        + "write to it."
    case .failedSync(let path):
      "The last writer of the store '\(path)' could not bring everything to the disk; close it in all other processes, "
        + "and then open it again."
    case .mustReopen(let path, let cause):
      "The store '\(path)' takes no more writes until it was closed and opened again: \(cause)."
    case .tooManyTables(let limit): "The store has room for \(limit) tables, and all are taken."
    case .tooManyReaders(let limit): "The store has room for \(limit) snapshots at a time, and all are open."
    case .transactionTooLarge: "The transaction changes more than one transaction can hold."
    case .emptyKey: "A key needs at least one byte."
    case .keyTooLong(let byteCount, let max): "A key of \(byteCount) bytes is longer than \(max)."
    case .valueSizeInvalid(let byteCount, let max): "A value of \(byteCount) bytes is not between 0 and \(max)."
    case .keyCollision(let table): "Two long keys of table '\(table)' have the same beginning and the same hash."
    case .snapshotBlocksGrowth(let path):
      "The store '\(path)' has to grow, and waits for a snapshot that the calling thread has open itself."
    case .noSuchTable(let name): "There is no table '\(name)'."
    case .invalidTableName(let name, let reason): "'\(name)' can't be the name of a table: \(reason)."
    case .tableOfAnotherEnvironment(let name):
      "The table '\(name)' comes from another store, or from an earlier opening of this one."
    case .tableOpenedAfterSnapshot(let name):
      "The table '\(name)' was opened after the snapshot was; take a new snapshot."
    case .transactionEnded: "The snapshot or transaction has ended; it is valid only inside of its closure."
    case .cursorNotPositioned: "The cursor is not at an entry."
    case .closed(let path): "The store '\(path)' was closed."
    case .forked(let path): "The store '\(path)' was opened before this process was forked off and can't be used in it."
    case .nestedTransactionOpen: "A transaction can't be used while a nested one is open in it."
    case .snapshotInsideWrite: "A snapshot was begun inside of a write; read by its transaction instead."
    case .writeInsideWrite: "A write was called inside the body of a write; use the transaction it was given."
    case .readOnly(let path): "The store '\(path)' is open for reading only."
    }
  }

  private static func holder(_ processID: Int32?, _ processName: String?) -> String {
    switch (processID, processName) {
    case (let id?, let name?): " (\(name), process \(id))"
    case (let id?, nil): " (process \(id))"
    case (nil, _): ""
    }
  }

  /// LMDB's words for a code of its own, the system's for an errno.
  static func meaning(of code: Int32) -> String {
    guard let text = mdb_strerror(code) else { return "unknown error" }
    return String(cString: text)
  }
}
