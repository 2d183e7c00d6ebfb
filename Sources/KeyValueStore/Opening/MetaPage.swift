/// One of the two first pages of an LMDB data file. The one with the larger transaction number says where everything is.
struct MetaPage {
  /// Where LMDB 0.9 has what, on a 64-bit machine.
  private enum Offset {
    static let flags = 10
    static let magic = 16
    static let version = 20
    static let pageBytes = 40
    static let freeRoot = 80
    static let mainRoot = 128
    static let lastPage = 136
    static let transaction = 144
  }

  /// How many bytes of a page the fields take.
  static let byteCount = 152
  private static let pageBytesAllowed = 256...32768
  private static let metaFlag: UInt16 = 0x08
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let version: UInt32 = 1

  let pageBytes: Int
  /// The roots of the tree of free pages and of the tree of tables, without empty trees.
  let roots: [UInt64]
  let lastPage: UInt64
  let transaction: UInt64

  /// Why bytes can't be one.
  enum Problem: Error, Equatable {
    case notLMDB
    case otherVersion(UInt32)
    case implausible
  }

  init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count >= Self.byteCount, bytes.number(at: Offset.magic, as: UInt32.self) == Self.magic,
      bytes.number(at: Offset.flags, as: UInt16.self) & Self.metaFlag != 0
    else { throw .notLMDB }
    let version = bytes.number(at: Offset.version, as: UInt32.self)
    guard version == Self.version else { throw .otherVersion(version) }
    pageBytes = Int(bytes.number(at: Offset.pageBytes, as: UInt32.self))
    roots = [Offset.freeRoot, Offset.mainRoot].map { bytes.number(at: $0, as: UInt64.self) }
      .filter { $0 != TreePage.none }
    lastPage = bytes.number(at: Offset.lastPage, as: UInt64.self)
    transaction = bytes.number(at: Offset.transaction, as: UInt64.self)
    guard Self.pageBytesAllowed.contains(pageBytes), pageBytes.nonzeroBitCount == 1,
      lastPage < UInt64(Int.max) / UInt64(pageBytes), roots.allSatisfy({ $0 >= 2 && $0 <= lastPage })
    else { throw .implausible }
  }
}

extension [UInt8] {
  /// A number as this machine has them in memory, which is how LMDB writes them. The bytes must be there.
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
