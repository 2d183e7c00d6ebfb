import CLMDB

/// What a store says about itself, in the only entry of its table `#store`.
///
/// 44 bytes: "SwKVStor" in ASCII, the format (UInt32), the store's identifier (16 bytes), the seed of the hashes of long
/// keys (UInt64), a checksum of all this (UInt64). Numbers are little-endian. A later format begins the same, up to the
/// format's number.
struct StoreRecord: Sendable, Equatable {
  static let formatSupported = 1
  static let key: [UInt8] = Array("record".utf8)
  private static let magic: [UInt8] = Array("SwKVStor".utf8)
  private static let checksumByteCount = 8
  private static let byteCount = magic.count + 4 + StoreIdentifier.byteCount + 8 + checksumByteCount

  var format = formatSupported
  var identifier: StoreIdentifier
  var seed: UInt64

  var bytes: [UInt8] {
    let content = Self.magic + Self.bytes(of: UInt32(format)) + identifier.bytes + Self.bytes(of: seed)
    return content + Self.bytes(of: Checksum.of(content))
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

extension StoreRecord {
  /// Reads the record of the store at `path`.
  init(_ bytes: UnsafeRawBufferPointer, path: String) throws(StoreError) {
    guard bytes.starts(with: Self.magic), bytes.count >= Self.magic.count + 4 else {
      throw .damaged(path: path, reason: "what it says about itself is not readable")
    }
    var offset = Self.magic.count
    let format = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    guard format <= Self.formatSupported else {
      throw .newerFormat(path: path, found: format, supported: Self.formatSupported)
    }
    offset += 4
    guard format > 0, bytes.count == Self.byteCount,
      let identifier = StoreIdentifier(bytes: bytes[offset..<(offset + StoreIdentifier.byteCount)])
    else { throw .damaged(path: path, reason: "what it says about itself has a wrong length") }
    offset += StoreIdentifier.byteCount
    let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(Self.checksumByteCount))
    guard ByteReader(bytes: bytes).number(at: content.count) == Checksum.of(content) else {
      throw .damaged(path: path, reason: "what it says about itself has a wrong checksum")
    }
    self.format = format
    self.identifier = identifier
    seed = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

/// What is read once when a store is opened.
struct StoreContents {
  var record: StoreRecord
  var root: MDB_dbi
  var tables: [(name: String, handle: MDB_dbi)]
}

extension Engine {
  /// Reads the record and opens all tables; throws when this is no store, or one of a newer format.
  func readContents() throws(StoreError) -> StoreContents {
    try read { (transaction) throws(StoreError) -> StoreContents in
      let root = try openRoot(transaction)
      let record = try readRecord(transaction)
      var tables: [(name: String, handle: MDB_dbi)] = []
      for name in try tableNames(transaction, root: root) where !Table.isReserved(name) {
        guard let handle = try openTable(name, transaction) else { continue }
        tables.append((name, handle))
      }
      return StoreContents(record: record, root: root, tables: tables)
    }
  }

  func readRecord(_ transaction: OpaquePointer?) throws(StoreError) -> StoreRecord {
    guard let table = try openTable(Table.storeRecordName, transaction) else {
      throw .notAStore(path: path, reason: "its \(StorePaths.data) was written by something else")
    }
    var value = MDB_val()
    let code = StoreRecord.key.withUnsafeBytes { key in
      var key = MDB_val(key)
      return mdb_get(transaction, table, &key, &value)
    }
    if code == MDB_NOTFOUND { throw .damaged(path: path, reason: "it does not say what it is") }
    try check(code, "Reading the store's record")
    return try StoreRecord(value.bytes, path: path)
  }
}
