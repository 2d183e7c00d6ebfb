/// A page of one of LMDB's trees, as far as it leads to other pages.
enum TreePage {
  /// The root of an empty tree.
  static let none = UInt64.max

  private enum PageFlag {
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04
    /// All that say what a page is.
    static let kinds: UInt16 = 0x6F
  }

  private enum NodeFlag {
    static let overflow: UInt16 = 0x01
    static let subtree: UInt16 = 0x02
  }

  private static let headerByteCount = 16
  private static let nodeHeaderByteCount = 8
  /// Where a subtree's root is in what a table's name leads to.
  private static let rootOffset = 40

  /// The pages and the runs of overflow pages that this one leads to; nil when its bytes can't be a page.
  static func links(of page: [UInt8], number: UInt64) -> Links? {
    guard page.count >= headerByteCount, page.number(at: 0, as: UInt64.self) == number else { return nil }
    let kind = page.number(at: 10, as: UInt16.self) & PageFlag.kinds
    guard kind == PageFlag.branch || kind == PageFlag.leaf else { return nil }
    let end = Int(page.number(at: 12, as: UInt16.self))
    guard end >= headerByteCount, end <= page.count else { return nil }
    var links = Links()
    for slot in stride(from: headerByteCount, to: end - 1, by: 2) {
      let node = Int(page.number(at: slot, as: UInt16.self))
      guard node >= end, node + nodeHeaderByteCount <= page.count else { return nil }
      guard links.add(node, of: page, isBranch: kind == PageFlag.branch) else { return nil }
    }
    return links
  }

  /// How many pages the run has that begins with this overflow page; nil when its bytes can't be one.
  static func overflowCount(of page: [UInt8], number: UInt64) -> UInt64? {
    guard page.count >= headerByteCount, page.number(at: 0, as: UInt64.self) == number,
      page.number(at: 10, as: UInt16.self) & PageFlag.kinds == PageFlag.overflow
    else { return nil }
    return UInt64(page.number(at: 12, as: UInt32.self))
  }

  /// Where a page leads.
  struct Links {
    var pages: [UInt64] = []
    var overflowRuns: [UInt64] = []

    /// Adds where a node leads; false when it does not lie in its page.
    fileprivate mutating func add(_ node: Int, of page: [UInt8], isBranch: Bool) -> Bool {
      let low = UInt64(page.number(at: node, as: UInt32.self))
      let flags = page.number(at: node + 4, as: UInt16.self)
      if isBranch {
        pages.append(low | UInt64(flags) << 32)
        return true
      }
      let data = node + nodeHeaderByteCount + Int(page.number(at: node + 6, as: UInt16.self))
      if flags & NodeFlag.overflow != 0 {
        guard data + 8 <= page.count else { return false }
        overflowRuns.append(page.number(at: data, as: UInt64.self))
      } else if flags & NodeFlag.subtree != 0 {
        guard data + rootOffset + 8 <= page.count else { return false }
        let root = page.number(at: data + rootOffset, as: UInt64.self)
        if root != none { pages.append(root) }
      }
      return true
    }
  }
}
