/// Why a page can't be what leads to it takes it for.
public enum PageFault: Error, Sendable, Hashable {
  /// There is no page of this number.
  case outOfRange(lastPage: UInt64)
  /// The file ends before it.
  case cutOff
  /// The system could not read it.
  case unreadable(errno: Int32)
  /// Something else leads to it too.
  case usedTwice
  /// It says that it is another page.
  case number(found: UInt64)
  /// It says that it is of another kind.
  case kind(found: UInt16, expected: UInt16)
  /// Where it says that its entries begin and end makes no sense.
  case bounds(lower: Int, upper: Int)
  /// It has fewer entries than such a page has.
  case tooFewEntries(count: Int)
  /// Its entries don't fill the space that they take, each by itself.
  case layout
  /// An entry is marked as something that this store doesn't have.
  case entryFlags(slot: Int, flags: UInt16)
  /// A key is shorter or longer than keys are.
  case keySize(slot: Int, byteCount: Int)
  /// A key does not come after the one before it.
  case order(slot: Int)
  /// A key lies outside of what the pages above say about this one.
  case outsideOfBranch(slot: Int)
  /// A value needs more pages than it has.
  case overflowTooShort(pages: UInt64, valueBytes: Int)
  /// What an entry says about a table can't be true.
  case tableRecord(slot: Int)
  /// An entry's list of free pages is longer than the entry.
  case freeListLength(slot: Int)
  /// An entry's list of free pages is not sorted.
  case freeListOrder(slot: Int)
  /// An entry's list of free pages has a page that there can't be.
  case freeListRange(slot: Int, page: UInt64)
  /// An entry lists pages freed by a transaction that there has not been.
  case freeListTransaction(slot: Int, transaction: UInt64)
  /// The entry of a long key does not have the key that it is stored under.
  case longKey(slot: Int)
}

extension PageFault: CustomStringConvertible {
  /// The end of a sentence that begins with the page.
  public var description: String {
    switch self {
    case .outOfRange(let lastPage): "does not exist; the last one is \(lastPage)"
    case .cutOff: "lies behind the end of the file"
    case .unreadable(let errno): "can't be read: \(StoreError.meaning(of: errno)) (errno \(errno))"
    case .usedTwice: "is used by something else too"
    case .number(let found): "says that it is page \(found)"
    case .kind(let found, let expected): "is of kind \(found) instead of \(expected)"
    case .bounds(let lower, let upper): "can't have its free space from \(lower) to \(upper)"
    case .tooFewEntries(let count): "has \(count) entries, which is too few"
    case .layout: "has entries that overlap or leave gaps"
    case .entryFlags(let slot, let flags): "has entry \(slot) marked as \(flags), which nothing in a store is"
    case .keySize(let slot, let byteCount): "has entry \(slot) with a key of \(byteCount) bytes"
    case .order(let slot): "has entry \(slot) out of order"
    case .outsideOfBranch(let slot): "has entry \(slot) outside of what the pages above it say"
    case .overflowTooShort(let pages, let valueBytes): "begins \(pages) pages for a value of \(valueBytes) bytes"
    case .tableRecord(let slot): "has entry \(slot) with numbers that no table can have"
    case .freeListLength(let slot): "has entry \(slot) with a list that is longer than the entry"
    case .freeListOrder(let slot): "has entry \(slot) with a list that is not sorted"
    case .freeListRange(let slot, let page): "has entry \(slot) with page \(page), which can't be free"
    case .freeListTransaction(let slot, let transaction):
      "has entry \(slot) of transaction \(transaction), which there has not been"
    case .longKey(let slot): "has entry \(slot) with another key than it is stored under"
    }
  }
}
