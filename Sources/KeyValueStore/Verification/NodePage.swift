/// A branch or leaf page whose structure has been checked, so that its entries can be read without further checks.
///
/// A page begins with 16 bytes: its number (8), two bytes without meaning, its kind (2), where its free space begins (2)
/// and ends (2). Then come the places of its entries, two bytes each, in the order of their keys. The entries themselves lie
/// side by side between the free space and the end of the page: four bytes of size (in a branch six, of page number),
/// flags (2), the size of the key (2), the key, the value; rounded up to even numbers of bytes.
struct NodePage {
  /// What a page says that it is.
  enum Kind {
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04
  }

  /// How an entry of a leaf is marked.
  enum NodeFlag {
    static let overflow: UInt16 = 0x01
    static let table: UInt16 = 0x02
  }

  static let headerByteCount = 16
  private static let nodeHeaderByteCount = 8
  private static let overflowNumberByteCount = 8

  let bytes: UnsafeRawBufferPointer
  let count: Int
  private let isBranch: Bool

  /// Checks that the bytes are the page of this number and kind, up to the order of its keys.
  ///
  /// `starts` is room for a bit for every second byte of a page, all zero. It is left so when nothing is thrown.
  init(
    checking bytes: UnsafeRawBufferPointer, number: UInt64, kind: UInt16, countMin: Int,
    starts: UnsafeMutableBufferPointer<UInt64>
  ) throws(PageFault) {
    self.bytes = bytes
    isBranch = kind == Kind.branch
    try Self.checkHeader(bytes, number: number, kind: kind)
    let lower = Int(bytes.number16(at: 12))
    let upper = Int(bytes.number16(at: 14))
    guard lower >= Self.headerByteCount, lower <= upper, upper <= bytes.count, lower % 2 == 0, upper % 2 == 0 else {
      throw .bounds(lower: lower, upper: upper)
    }
    count = (lower - Self.headerByteCount) / 2
    guard count >= countMin else { throw .tooFewEntries(count: count) }
    try checkLayout(from: upper, starts)
  }

  static func checkHeader(_ bytes: UnsafeRawBufferPointer, number: UInt64, kind: UInt16) throws(PageFault) {
    let found = bytes.loadUnaligned(as: UInt64.self)
    guard found == number else { throw .number(found: found) }
    let foundKind = bytes.number16(at: 10)
    guard foundKind == kind else { throw .kind(found: foundKind, expected: kind) }
  }

  /// Goes through the entries as they lie, and then checks that the slots lead to exactly these.
  private func checkLayout(from upper: Int, _ starts: UnsafeMutableBufferPointer<UInt64>) throws(PageFault) {
    var place = upper
    for _ in 0..<count {
      guard place + Self.nodeHeaderByteCount <= bytes.count else { throw .layout }
      starts[place / 128] |= 1 << UInt64(place / 2 % 64)
      place += nodeByteCount(at: place)
      guard place <= bytes.count else { throw .layout }
    }
    guard place == bytes.count else { throw .layout }
    for slot in 0..<count {
      let place = self.place(of: slot)
      let bit: UInt64 = 1 << UInt64(place / 2 % 64)
      guard place % 2 == 0, place < bytes.count, starts[place / 128] & bit != 0 else { throw .layout }
      starts[place / 128] &= ~bit
    }
  }

  private func nodeByteCount(at place: Int) -> Int {
    var byteCount = Self.nodeHeaderByteCount + Int(bytes.number16(at: place + 6))
    if !isBranch {
      let isOverflow = bytes.number16(at: place + 4) & NodeFlag.overflow != 0
      byteCount += isOverflow ? Self.overflowNumberByteCount : Int(bytes.number32(at: place))
    }
    return (byteCount + 1) & ~1
  }

  private func place(of slot: Int) -> Int { Int(bytes.number16(at: Self.headerByteCount + 2 * slot)) }

  // MARK: - Entries

  func key(_ slot: Int) -> UnsafeRawBufferPointer {
    let place = self.place(of: slot)
    let start = place + Self.nodeHeaderByteCount
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(bytes.number16(at: place + 6)))])
  }

  /// The page that an entry of a branch leads to.
  func child(_ slot: Int) -> UInt64 {
    let place = self.place(of: slot)
    return UInt64(bytes.number32(at: place)) | UInt64(bytes.number16(at: place + 4)) << 32
  }

  func flags(_ slot: Int) -> UInt16 { bytes.number16(at: place(of: slot) + 4) }

  /// How long the value of an entry of a leaf is, wherever it lies.
  func valueByteCount(_ slot: Int) -> Int { Int(bytes.number32(at: place(of: slot))) }

  /// The value of an entry of a leaf that is not marked as overflowing.
  func value(_ slot: Int) -> UnsafeRawBufferPointer {
    let start = valuePlace(slot)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + valueByteCount(slot))])
  }

  /// The first page of the value of an entry that is marked as overflowing.
  func overflowPage(_ slot: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: valuePlace(slot), as: UInt64.self)
  }

  private func valuePlace(_ slot: Int) -> Int {
    let place = self.place(of: slot)
    return place + Self.nodeHeaderByteCount + Int(bytes.number16(at: place + 6))
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func number16(at offset: Int) -> UInt16 { loadUnaligned(fromByteOffset: offset, as: UInt16.self) }

  @inline(__always)
  fileprivate func number32(at offset: Int) -> UInt32 { loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
}
