/// One of the trees that LMDB keeps in a data file.
public enum StoreTree: Sendable, Hashable, CustomStringConvertible {
  /// The tree whose entries list the pages that may be used again.
  case freePages
  /// The tree that leads from names to tables.
  case tables
  /// A table.
  case table(String)

  /// What it is called in a sentence.
  public var description: String {
    switch self {
    case .freePages: "the list of free pages"
    case .tables: "the list of tables"
    case .table(let name): "table '\(name)'"
    }
  }
}

/// What LMDB says about a tree: where its root is, and how much it holds.
///
/// 48 bytes, in a meta page for the two trees that every file has, and in the list of tables for each table.
struct TreeRecord: Equatable {
  static let byteCount = 48
  /// The root of an empty tree.
  static let noRoot = UInt64.max
  /// LMDB's cursors have no room for more levels.
  static let depthMax = 32

  let padding: UInt32
  let flags: UInt16
  let depth: Int
  let branchPages: UInt64
  let leafPages: UInt64
  let overflowPages: UInt64
  let entries: UInt64
  let root: UInt64

  /// Reads the record from the beginning of `bytes`, of which there must be enough.
  init(_ bytes: UnsafeRawBufferPointer) {
    padding = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
    flags = bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    depth = Int(bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    branchPages = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    leafPages = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    overflowPages = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    entries = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    root = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
  }

  var isEmpty: Bool { root == Self.noRoot }

  /// Whether the numbers can belong together, up to the last used page.
  func isPlausible(lastPage: UInt64) -> Bool {
    if isEmpty { return depth == 0 && branchPages == 0 && leafPages == 0 && overflowPages == 0 && entries == 0 }
    return root >= PageUse.firstPage && root <= lastPage && depth >= 1 && depth <= Self.depthMax
  }
}
