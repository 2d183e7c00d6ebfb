import CLMDB
import Glibc

extension StoreError {
  /// The error that a caller of the store gets for a failed call of LMDB: `code` is one of LMDB's or an errno, and
  /// `operation` says what was being done, as the beginning of a sentence.
  init(engine code: Int32, _ operation: String, path: String, options: Environment.Options) {
    switch code {
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case EACCES, EPERM, EROFS: self = .notWritable(path: path)
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_VERSION_MISMATCH:
      self = .damaged(path: path, reason: Self.meaning(of: code))
    case MDB_PANIC: self = .mustReopen(path: path, cause: .engine)
    case MDB_READERS_FULL: self = .tooManyReaders(limit: options.readersMax)
    case MDB_DBS_FULL: self = .tooManyTables(limit: options.tablesMax)
    case MDB_TXN_FULL: self = .transactionTooLarge
    case 1...: self = .system(operation: operation, path: path, errno: code)
    default: self = .engine(operation: operation, path: path, code: code)
    }
  }
}
