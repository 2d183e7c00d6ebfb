/// Checks the pages of one snapshot of a data file: every tree, the list of free pages, and that each page up to the last
/// used one belongs to exactly one of them.
///
/// It reads every page of the trees, and of overflow pages their headers. It needs a bit of memory for each page. Whatever
/// bytes it meets, it neither traps nor runs forever: a page is entered once, and a problem is noted and the walk goes on.
///
/// What it can't find: values, and keys between their neighbours, that have become others of the same length; older pages
/// in the place of later ones with as many entries; anything in pages that are free.
final class PageCheck {
  /// How far beyond the end of a file its last used page may lie.
  ///
  /// Pages at the end that a transaction took and gave back were never written, so there can be any number of them. But
  /// memory is needed for each, so a damaged number must not ask for all there is.
  static let unwrittenPagesMax: UInt64 = 1 << 26

  let meta: SnapshotMeta
  let reader: PageReader
  /// Pages freed by this transaction or later ones are not used again, because a checkpoint needs them.
  private let pinnedFrom: UInt64
  private let beforePage: (UInt64) throws -> Void
  /// Who wants to know of the entries that can be read.
  let visitor: (any EntryVisitor)?

  var use: PageUse
  var report = PageReport()
  /// Room for `NodePage` to note where the entries of a page begin.
  let starts: UnsafeMutableBufferPointer<UInt64>
  /// What hashes of long keys are seeded with, once it is known.
  var seed: UInt64?
  /// The records of the tables, as the list of tables has them.
  var tables: [(name: String, record: TreeRecord)] = []
  /// Whether every page that something leads to could be entered. If not, there are unmet pages without being lost.
  private var isWhole = true

  /// Checks the pages of the snapshot that `meta` is of, which nobody may use again meanwhile.
  ///
  /// `beforePage` is called before each page with how many were read, and ends the check by throwing. The visitor is told of
  /// the entries on pages that are sound, whatever is wrong elsewhere.
  static func report(
    on file: OpenFile, _ files: any FileSystem, meta: SnapshotMeta, pinnedFrom: UInt64 = .max,
    visitor: (any EntryVisitor)? = nil, beforePage: @escaping (UInt64) throws -> Void = { _ in }
  ) throws -> PageReport {
    let pagesPresent: UInt64
    do { pagesPresent = UInt64(try files.status(of: file).byteCount / meta.pageBytes) } catch {
      throw StoreError(error)
    }
    guard meta.lastPage <= pagesPresent + unwrittenPagesMax else {
      var report = PageReport()
      report.problems.append(.lastPage(meta.lastPage, pagesPresent: pagesPresent))
      return report
    }
    let check = PageCheck(
      file, files, meta: meta, pinnedFrom: pinnedFrom, visitor: visitor, beforePage: beforePage)
    try check.run()
    return check.report
  }

  private init(
    _ file: OpenFile, _ files: any FileSystem, meta: SnapshotMeta, pinnedFrom: UInt64, visitor: (any EntryVisitor)?,
    beforePage: @escaping (UInt64) throws -> Void
  ) {
    self.meta = meta
    self.pinnedFrom = pinnedFrom
    self.beforePage = beforePage
    self.visitor = visitor
    reader = PageReader(file, files, pageBytes: meta.pageBytes)
    use = PageUse(lastPage: meta.lastPage)
    starts = .allocate(capacity: meta.pageBytes / 128)
    starts.initialize(repeating: 0)
  }

  deinit {
    starts.deallocate()
  }

  private func run() throws {
    try check(.tables, meta.tables)
    // The store's own record first, because it has what the hashes of long keys are seeded with.
    tables.sort { $0.name == Table.storeRecordName && $1.name != Table.storeRecordName }
    for table in tables {
      try visitor?.visit(table: table.name)
      try check(.table(table.name), table.record)
    }
    try check(.freePages, meta.free)
    if isWhole { use.forEachUnclaimedRun { report.problems.append(.lostPages(first: $0, count: $1)) } }
  }

  /// Checks a tree, and what is recorded about it.
  private func check(_ tree: StoreTree, _ record: TreeRecord) throws {
    guard record.isPlausible(lastPage: meta.lastPage), tree.allows(record, pageBytes: meta.pageBytes) else {
      report.problems.append(.treeRecord(of: tree))
      isWhole = false
      return
    }
    var walk = TreeWalk(self, tree, record)
    if !record.isEmpty { try walk.run() }
    report.count(walk)
    isWhole = isWhole && walk.isWhole
    if walk.isWhole { walk.compareCounts() }
  }

  func countPage() throws {
    try beforePage(report.pages.inTrees)
    report.pages.inTrees += 1
  }

  /// Takes over what the store says about itself.
  func readRecord(_ bytes: UnsafeRawBufferPointer) {
    do {
      let record = try StoreRecord(bytes, path: "")
      report.record = record
      seed = record.seed
    } catch .newerFormat(_, let found, _) {
      report.newerFormat = found
    } catch .damaged(_, let reason) {
      report.problems.append(.damaged(reason: reason))
    } catch {
      report.problems.append(.damaged(reason: "\(error)"))
    }
  }

  func countFree(_ pages: UInt64, freedBy transaction: UInt64) {
    report.pages.free += pages
    if transaction >= pinnedFrom { report.pages.pinned += pages }
  }
}

/// What a check of pages has found.
struct PageReport {
  var problems = ProblemList()
  var pages = PageCounts()
  /// The entries of each table.
  var entries: [String: UInt64] = [:]
  /// What the store says about itself; nil when that was not readable.
  var record: StoreRecord?
  /// Its format, if a later version has written it, about which nothing can be said.
  var newerFormat: Int?
  /// The number of the last commit in the snapshot; nil when there is none.
  var lsn: UInt64?

  fileprivate mutating func count(_ walk: TreeWalk) {
    pages.overflow += walk.overflowPages
    if case .table(let name) = walk.tree, !Table.isReserved(name) { entries[name] = walk.entries }
  }
}

/// How the pages of a data file are used.
public struct PageCounts: Sendable, Hashable {
  /// Pages of the trees themselves.
  public var inTrees: UInt64 = 0
  /// Pages of values that are too large for a tree's page.
  public var overflow: UInt64 = 0
  /// Pages that are free.
  public var free: UInt64 = 0
  /// Those of the free ones that are kept until the next checkpoint.
  public var pinned: UInt64 = 0
}

extension StoreTree {
  /// Whether a tree of this store can be of the kind that its record says. LMDB has more kinds.
  fileprivate func allows(_ record: TreeRecord, pageBytes: Int) -> Bool {
    // The record of free pages has LMDB's flags for the environment among its own, and the size of a page.
    let integerKeys: UInt16 = 0x08
    let treeFlags: UInt16 = 0x7F
    return self == .freePages
      ? record.flags & treeFlags == integerKeys && record.padding == UInt32(pageBytes)
      : record.flags == 0 && record.padding == 0
  }
}
