/// The data file before LMDB opens it.
///
/// LMDB maps the file and trusts it: a page that the file does not have would end the process that touches it. So the
/// file is looked at with ordinary reads before.
struct DataFile {
  private static let sqliteMagic: [UInt8] = Array("SQLite format 3\0".utf8)
  /// How often a file that changes while it is looked at is looked at again.
  private static let attemptsMax = 3

  let file: OpenFile
  let path: String
  let files: any FileSystem

  init(_ file: OpenFile, path: String, _ files: any FileSystem) {
    self.file = file
    self.path = path
    self.files = files
  }

  init(_ paths: StorePaths, _ files: any FileSystem, for use: FileUse) throws(StoreError) {
    path = paths.directory
    self.files = files
    do { file = try files.open(paths[StorePaths.data], for: use) } catch { throw StoreError(error, opening: use) }
  }

  /// Throws unless every page that a reader can come to lies within the file.
  func check() throws(StoreError) {
    var newest = try newestMetaPage()
    for _ in 1...Self.attemptsMax {
      guard let problem = try problem(in: newest) else { return }
      let previous = newest.transaction
      newest = try newestMetaPage()
      if newest.transaction == previous { throw .damaged(path: path, reason: problem) }
    }
    // A process that commits to it all the time has it open, and so has found it sound.
  }

  /// Makes the file as long as its last page says, if it is shorter although it is sound (see `problem`).
  func extendToLastPage() throws(StoreError) {
    let newest = try newestMetaPage()
    let byteCount = (Int(newest.lastPage) + 1) * newest.pageBytes
    if try self.byteCount() >= byteCount { return }
    do { try files.truncate(file, to: byteCount) } catch { throw StoreError(error) }
  }

  func byteCount() throws(StoreError) -> Int {
    do { return try files.status(of: file).byteCount } catch { throw StoreError(error) }
  }

  /// Whether a file is a SQLite database, which people keep under names of all kinds.
  static func isSQLite(_ path: String, _ files: any FileSystem) throws(FileError) -> Bool {
    let file = try files.open(path, for: .reading)
    return try files.bytes(of: file, at: 0, sqliteMagic.count) == sqliteMagic
  }

  func newestMetaPage() throws(StoreError) -> MetaPage {
    let start = try bytes(at: 0, MetaPage.byteCount)
    if start.isEmpty { throw .damaged(path: path, reason: "its \(StorePaths.data) is empty") }
    if start.starts(with: Self.sqliteMagic) {
      throw .notAStore(path: path, reason: "its \(StorePaths.data) is a SQLite database")
    }
    let first: MetaPage
    do { first = try MetaPage(start) } catch {
      switch error {
      case .notLMDB: throw .notAStore(path: path, reason: "its \(StorePaths.data) is not a file of LMDB")
      case .otherVersion(let version):
        throw .notAStore(path: path, reason: "its \(StorePaths.data) was written by LMDB's version \(version)")
      case .implausible: throw .damaged(path: path, reason: "the first page of its \(StorePaths.data) makes no sense")
      }
    }
    let second: MetaPage
    do { second = try MetaPage(try bytes(at: first.pageBytes, MetaPage.byteCount)) } catch let error as StoreError {
      throw error
    } catch {
      throw .damaged(path: path, reason: "the second page of its \(StorePaths.data) makes no sense")
    }
    guard first.pageBytes == second.pageBytes else {
      throw .damaged(path: path, reason: "the first pages of its \(StorePaths.data) contradict each other")
    }
    return second.transaction > first.transaction ? second : first
  }

  /// What is wrong with the tree that a meta page leads to; nil when nothing is.
  func problem(in meta: MetaPage) throws(StoreError) -> String? {
    // The size is asked for after the meta page was read, because a writer makes the file longer first.
    let pagesPresent = try UInt64(byteCount() / meta.pageBytes)
    let isCut = "its \(StorePaths.data) has been cut off"
    if meta.roots.contains(where: { $0 >= pagesPresent }) { return isCut }
    for root in meta.roots where TreePage.links(of: try page(root, meta), number: root) == nil {
      return "page \(root) of its \(StorePaths.data) makes no sense"
    }
    // Pages at the end that a transaction took and gave back were never written, so a sound file can be shorter than its
    // last page says. Which of the two this is, only the tree can tell.
    if meta.lastPage < pagesPresent { return nil }
    var pending = meta.roots
    var visitsLeft = pagesPresent
    while let number = pending.popLast() {
      guard number < pagesPresent else { return isCut }
      guard visitsLeft > 0, let links = TreePage.links(of: try page(number, meta), number: number) else {
        return "page \(number) of its \(StorePaths.data) makes no sense"
      }
      visitsLeft -= 1
      pending += links.pages
      for run in links.overflowRuns {
        guard run < pagesPresent else { return isCut }
        guard let count = TreePage.overflowCount(of: try page(run, meta), number: run) else {
          return "page \(run) of its \(StorePaths.data) makes no sense"
        }
        if count > pagesPresent - run { return isCut }
      }
    }
    return nil
  }

  private func page(_ number: UInt64, _ meta: MetaPage) throws(StoreError) -> [UInt8] {
    try bytes(at: Int(number) * meta.pageBytes, meta.pageBytes)
  }

  func bytes(at offset: Int, _ byteCount: Int) throws(StoreError) -> [UInt8] {
    do { return try files.bytes(of: file, at: offset, byteCount) } catch { throw StoreError(error) }
  }
}
