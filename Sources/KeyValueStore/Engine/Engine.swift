import CLMDB
import Glibc

/// An open LMDB environment: the calls that this module makes of it outside of transactions, and the errors they become.
///
/// Unchecked `Sendable`: LMDB lets an environment be used on any thread. What it does not allow at the same time (a second
/// write transaction, a new map, the closing) is kept apart by `EnvironmentCore`.
struct Engine: @unchecked Sendable {
  /// Readers that snapshots must not take the places of: two pins while a checkpoint changes them, and one short look.
  static let ownReaders = 3

  let handle: OpaquePointer
  /// The store's folder, for errors.
  let path: String
  let options: Environment.Options

  /// Opens the environment in the folder `file`, or with the data file `file`, as `flags` say. `path` is for errors.
  init(opening file: String, flags: Int32, mapBytes: Int, path: String, options: Environment.Options) throws(StoreError)
  {
    var handle: OpaquePointer?
    let code = mdb_env_create(&handle)
    guard code == MDB_SUCCESS, let handle else {
      throw StoreError(engine: code, "Preparing to open", path: path, options: options)
    }
    self.handle = handle
    self.path = path
    self.options = options
    do throws(StoreError) {
      let mapBytes = Self.roundedToPages(AddressSpace.available(mapBytes))
      try check(mdb_env_set_mapsize(handle, mapBytes), "Setting the size of the map")
      // One more for the store's own.
      try check(mdb_env_set_maxdbs(handle, MDB_dbi(options.tablesMax + 1)), "Setting the number of tables")
      let readersMax = options.readersMax + Self.ownReaders
      try check(mdb_env_set_maxreaders(handle, UInt32(readersMax)), "Setting the number of readers")
      // A reader belongs to a snapshot and not to a thread (NOTLS), and reading ahead costs more than it brings.
      let flags = UInt32(MDB_NOTLS | MDB_NORDAHEAD | flags)
      try check(mdb_env_open(handle, file, flags, 0o666), "Opening")
      guard mdb_env_get_maxkeysize(handle) >= StoredKey.longByteCount else {
        throw .engine(operation: "Opening with an LMDB made for shorter keys", path: path, code: MDB_BAD_VALSIZE)
      }
    } catch {
      mdb_env_close(handle)
      throw error
    }
  }

  /// Closes the environment. Nothing of it may be in use.
  func close() {
    mdb_env_close(handle)
  }

  /// Runs `body` in a read transaction of its own. Tables that it opens stay open when it doesn't throw.
  func read<Result>(_ body: (OpaquePointer) throws(StoreError) -> Result) throws(StoreError) -> Result {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction), "Beginning a snapshot")
    guard let transaction else { throw error(EINVAL, "Beginning a snapshot") }
    let result: Result
    do throws(StoreError) {
      result = try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction), "Ending a snapshot")
    return result
  }

  /// Runs `body` in a write transaction of its own, on the calling thread, and commits it.
  func write(_ body: (OpaquePointer) throws(StoreError) -> Void) throws(StoreError) {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, 0, &transaction), "Beginning a write")
    guard let transaction else { throw error(EINVAL, "Beginning a write") }
    do throws(StoreError) {
      try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction), "Committing")
  }

  /// The size of a page.
  var pageByteCount: Int {
    var root = MDB_stat()
    mdb_env_stat(handle, &root)
    return Int(root.ms_psize)
  }

  /// The last page that was ever used.
  var lastPage: Int {
    var info = MDB_envinfo()
    // It only reads numbers from memory, and has no reason to fail.
    mdb_env_info(handle, &info)
    return info.me_last_pgno
  }

  /// Frees the places of readers whose processes have died, and returns how many there were. The writing process does that.
  @discardableResult
  func clearStaleReaders() throws(StoreError) -> Int {
    var cleared: Int32 = 0
    try check(mdb_reader_check(handle, &cleared), "Clearing the places of dead readers")
    return Int(cleared)
  }

  func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(StoreError) {
    if code != MDB_SUCCESS { throw error(code, operation()) }
  }

  func error(_ code: Int32, _ operation: String) -> StoreError {
    let code = code == EIO && Self.isDiskFull(handle) ? ENOSPC : code
    return StoreError(engine: code, operation, path: path, options: options)
  }

  /// Whether the data file can't become any longer.
  ///
  /// LMDB calls it an input or output error when the disk takes only a part of what it writes, so after such an error one
  /// has to ask.
  static func isDiskFull(_ handle: OpaquePointer?) -> Bool {
    var descriptor: Int32 = -1
    var info = stat()
    guard mdb_env_get_fd(handle, &descriptor) == MDB_SUCCESS, fstat(descriptor, &info) == 0 else { return false }
    let keepingSize: Int32 = 1
    return fallocate(descriptor, keepingSize, info.st_size, 1) != 0 && (errno == ENOSPC || errno == EDQUOT)
  }

  private static func roundedToPages(_ byteCount: Int) -> Int {
    let page = sysconf(Int32(_SC_PAGESIZE))
    return max(1, byteCount / page) * page
  }
}
