/// A walk through one tree, in the order of its keys.
struct TreeWalk {
  let tree: StoreTree
  private(set) var branchPages: UInt64 = 0
  private(set) var leafPages: UInt64 = 0
  private(set) var overflowPages: UInt64 = 0
  private(set) var entries: UInt64 = 0
  /// Whether every page could be entered.
  private(set) var isWhole = true

  let check: PageCheck
  private let record: TreeRecord
  private let isFreePages: Bool

  /// Where the keys of a page have to lie. An end that is nil is open.
  private struct Bounds {
    var lower: UnsafeRawBufferPointer?
    var upper: UnsafeRawBufferPointer?
  }

  init(_ check: PageCheck, _ tree: StoreTree, _ record: TreeRecord) {
    self.check = check
    self.tree = tree
    self.record = record
    isFreePages = tree == .freePages
  }

  /// Walks through a tree that is not empty.
  mutating func run() throws {
    try visit(record.root, level: 0, Bounds())
  }

  /// Compares the numbers that are kept about the tree with those that were found.
  func compareCounts() {
    let pairs: [(TreeQuantity, recorded: UInt64, found: UInt64)] = [
      (.entries, record.entries, entries), (.branchPages, record.branchPages, branchPages),
      (.leafPages, record.leafPages, leafPages), (.overflowPages, record.overflowPages, overflowPages),
    ]
    for (quantity, recorded, found) in pairs where recorded != found {
      check.report.problems.append(.count(quantity, of: tree, recorded: recorded, found: found))
    }
  }

  // MARK: - Pages

  private mutating func visit(_ number: UInt64, level: Int, _ bounds: Bounds) throws {
    let isLeaf = level == record.depth - 1
    guard claim(number) else { return }
    try check.countPage()
    let page: NodePage
    do throws(PageFault) {
      page = try NodePage(
        checking: try check.reader.page(number, level: level), number: number,
        kind: isLeaf ? NodePage.Kind.leaf : NodePage.Kind.branch,
        // A branch with one entry leads nowhere that its own parent could not; LMDB stops at one, except in its own tree.
        countMin: isLeaf || isFreePages ? 1 : 2, starts: check.starts)
    } catch {
      check.starts.update(repeating: 0)
      note(error, number)
      isWhole = false
      return
    }
    if isLeaf {
      leafPages += 1
      entries += UInt64(page.count)
      _ = checkKeys(of: page, number, from: 0, bounds)
      for slot in 0..<page.count { try checkEntry(slot, of: page, number) }
    } else {
      branchPages += 1
      // The first key of a branch means nothing: what comes before the second is all in the first child.
      let isSorted = checkKeys(of: page, number, from: 1, bounds)
      for slot in 0..<page.count {
        var within = Bounds()
        if isSorted {
          within.lower = slot == 0 ? bounds.lower : page.key(slot)
          within.upper = slot + 1 < page.count ? page.key(slot + 1) : bounds.upper
        }
        try visit(page.child(slot), level: level + 1, within)
      }
    }
  }

  /// Notes a page as used; false when it can't be, which is a problem.
  private mutating func claim(_ number: UInt64) -> Bool {
    let fault: PageFault
    if !check.use.contains(number) {
      fault = .outOfRange(lastPage: check.meta.lastPage)
    } else if !check.use.claim(number) {
      fault = .usedTwice
    } else {
      return true
    }
    note(fault, number)
    isWhole = false
    return false
  }

  private func note(_ fault: PageFault, _ number: UInt64) {
    check.report.problems.append(.page(number, of: tree, fault))
  }

  // MARK: - Keys

  /// Checks sizes, order and bounds of the keys; false when something is wrong with them.
  private func checkKeys(of page: NodePage, _ number: UInt64, from first: Int, _ bounds: Bounds) -> Bool {
    var previous: UnsafeRawBufferPointer?
    var isSound = true
    for slot in first..<page.count {
      let key = page.key(slot)
      guard isFreePages ? key.count == 8 : (1...StoredKey.longByteCount).contains(key.count) else {
        note(.keySize(slot: slot, byteCount: key.count), number)
        return false
      }
      if let previous, !precedes(previous, key) {
        note(.order(slot: slot), number)
        isSound = false
      }
      previous = key
    }
    guard isSound, let last = previous else { return isSound }
    // In a leaf the first key may be the bound itself; in a branch it is the second child's.
    if let lower = bounds.lower, precedes(page.key(first), lower) || (first > 0 && !precedes(lower, page.key(first))) {
      note(.outsideOfBranch(slot: first), number)
      isSound = false
    }
    if let upper = bounds.upper, !precedes(last, upper) {
      note(.outsideOfBranch(slot: page.count - 1), number)
      isSound = false
    }
    return isSound
  }

  private func precedes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    isFreePages
      ? left.loadUnaligned(as: UInt64.self) < right.loadUnaligned(as: UInt64.self)
      : left.compare(right) < 0
  }

  // MARK: - Entries

  private mutating func checkEntry(_ slot: Int, of page: NodePage, _ number: UInt64) throws {
    let flags = page.flags(slot)
    let isTable = tree == .tables && flags == NodePage.NodeFlag.table
    guard flags == 0 || isTable || (tree != .tables && flags == NodePage.NodeFlag.overflow) else {
      note(.entryFlags(slot: slot, flags: flags), number)
      return
    }
    let value: EntryValue
    if flags == NodePage.NodeFlag.overflow {
      let first = page.overflowPage(slot)
      let byteCount = page.valueByteCount(slot)
      guard claimRun(from: first, valueBytes: byteCount) else { return }
      value = .overflow(first, byteCount: byteCount)
    } else {
      value = .inline(page.value(slot))
    }
    do throws(PageFault) {
      switch tree {
      case .freePages: try checkFreeList(slot, of: page, value)
      case .tables: try checkRootEntry(slot, of: page)
      case .table(let name): try checkTableEntry(slot, of: page, value, isRecord: name == Table.storeRecordName)
      }
    } catch {
      note(error, number)
      return
    }
    if case .table(let name) = tree, let visitor = check.visitor {
      try tell(visitor, of: page.key(slot), value, in: name)
    }
  }

  /// Claims the pages of a value; false when they can't be the value's, which is a problem.
  private mutating func claimRun(from first: UInt64, valueBytes: Int) -> Bool {
    guard claim(first) else { return false }
    do throws(PageFault) {
      let header = try check.reader.overflowHeader(first)
      let pages = try header.withUnsafeBytes { header in
        Result { () throws(PageFault) in
          try NodePage.checkHeader(header, number: first, kind: NodePage.Kind.overflow)
          return UInt64(header.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        }
      }.get()
      // A value that has become shorter keeps its pages.
      let needed = UInt64((NodePage.headerByteCount + valueBytes - 1) / check.meta.pageBytes) + 1
      guard pages >= needed else { throw .overflowTooShort(pages: pages, valueBytes: valueBytes) }
      guard pages - 1 <= check.meta.lastPage - first else { throw .outOfRange(lastPage: check.meta.lastPage) }
      guard try check.reader.hasPages(from: first, needed) else { throw .cutOff }
      overflowPages += pages
      for page in first + 1..<first + pages where !claim(page) { return false }
      return true
    } catch {
      note(error, first)
      isWhole = false
      return false
    }
  }
}

/// Where the value of an entry is.
enum EntryValue {
  case inline(UnsafeRawBufferPointer)
  /// In the overflow pages that begin with this one.
  case overflow(UInt64, byteCount: Int)
}
