import Glibc

// The first two pages, between which LMDB alternates: transaction N writes page N & 1.
extension DataFile {
  /// The beginning of a meta page as a checkpoint keeps it.
  struct Meta {
    var bytes: [UInt8]
    var pageBytes: Int
  }

  /// Where the store's identity stands on a meta page, behind everything that LMDB writes there.
  private static let identityOffset = 512
  private static let identityMagic = Array("SwKVMeta".utf8)
  private static let identityByteCount = 32

  /// The meta page of the newest snapshot.
  ///
  /// Throws when it is not the one of transaction `snapshot`, which nothing but damage explains: no transaction is
  /// committed while this runs.
  func meta(of snapshot: UInt64) throws(StoreError) -> Meta {
    let pageBytes = try newestMetaPage().pageBytes
    let bytes = try self.bytes(at: Int(snapshot & 1) * pageBytes, CheckpointRecord.metaByteCount)
    guard let page = try? MetaPage(bytes), page.transaction == snapshot else {
      throw .damaged(path: path, reason: "the first pages of its \(StorePaths.data) are not those of its last commit")
    }
    return Meta(bytes: bytes, pageBytes: pageBytes)
  }

  /// Puts both meta pages back to those of a checkpoint, and returns when that is on the medium.
  func rollBack(to record: CheckpointRecord) throws(FileError) {
    for number in 0..<2 {
      var page = ByteWriter(byteCount: record.pageBytes)
      page.put(record.meta, at: 0)
      // A page begins with its number.
      page.put(UInt64(number), at: 0)
      page.put(Self.identity(record.store), at: Self.identityOffset)
      try files.write(page.bytes, to: file, at: number * record.pageBytes)
    }
    try sync()
  }

  /// Writes on both meta pages which store they belong to.
  func writeIdentity(_ store: StoreIdentifier, pageBytes: Int) throws(FileError) {
    for number in 0..<2 {
      try files.write(Self.identity(store), to: file, at: number * pageBytes + Self.identityOffset)
    }
  }

  /// Throws unless a checkpoint's snapshot can be in this file: every page that it leads to lies within the file.
  func check(_ record: CheckpointRecord) throws(StoreError) {
    try checkIdentity(record)
    guard let meta = try? MetaPage(record.meta), meta.transaction == record.snapshot,
      meta.pageBytes == record.pageBytes,
      meta.pageBytes >= Self.identityOffset + Self.identityByteCount
    else { throw .damaged(path: path, reason: "its \(StorePaths.checkpoint) leads nowhere") }
    if let problem = try problem(in: meta) { throw .damaged(path: path, reason: problem) }
  }

  /// Throws if a meta page says that it belongs to another store. One that was being written when the power failed may
  /// say nothing.
  func checkIdentity(_ record: CheckpointRecord) throws(StoreError) {
    let expected = Self.identity(record.store)
    for number in 0..<2 {
      let found = try bytes(at: number * record.pageBytes + Self.identityOffset, Self.identityByteCount)
      let isOther = found != expected && found.starts(with: Self.identityMagic) && Self.isIdentity(found)
      if isOther {
        throw .damaged(path: path, reason: "its \(StorePaths.data) belongs to another store than its other files")
      }
    }
  }

  /// Whether both meta pages say that they belong to a store, as they do unless one was being written when the power failed.
  func hasIdentity(of store: StoreIdentifier, pageBytes: Int) throws(StoreError) -> Bool {
    for number in 0..<2 {
      let found = try bytes(at: number * pageBytes + Self.identityOffset, Self.identityByteCount)
      if found != Self.identity(store) { return false }
    }
    return true
  }

  /// Throws if the file has been removed: what is written to it then is lost, however often it is synced.
  func checkExists() throws(FileError) {
    if try files.status(of: file).isRemoved { throw FileError.removed(file.path) }
  }

  /// Makes sure that there is disk space for the file's first bytes.
  func reserve(_ byteCount: Int) throws(FileError) {
    try files.reserve(byteCount, for: file)
  }

  /// Returns when the file's content is on the medium.
  func sync() throws(FileError) {
    try files.syncData(file)
  }

  private static func identity(_ store: StoreIdentifier) -> [UInt8] {
    let start = identityMagic + store.bytes
    return start + withUnsafeBytes(of: Checksum.of(start).littleEndian) { Array($0) }
  }

  private static func isIdentity(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == identityByteCount,
      let store = StoreIdentifier(bytes: bytes[identityMagic.count..<(identityMagic.count + StoreIdentifier.byteCount)])
    else { return false }
    return bytes == identity(store)
  }
}
