import CLMDB

/// Copies the data file of one snapshot, which stays open as long as this runs.
struct BackupCopy {
  /// How much is in memory at a time.
  private static let bytesAtATime = 1 << 20

  private let pages: PinnedPages
  private let target: BackupTarget

  init(_ pages: PinnedPages, to target: BackupTarget) {
    self.pages = pages
    self.target = target
  }

  /// Copies all pages as they are, with ordinary reads: those of the snapshot's trees don't change while it is open, and
  /// what the others hold does not matter.
  ///
  /// LMDB's own call would do the same through its map, where a page that can't be read ends the process, and would wait
  /// for the writer's mutex, which the writer thread has nearly all the time.
  func write() throws(StoreError) {
    let file = try target.openData()
    let files = pages.data.files
    let pageBytes = pages.meta.pageBytes
    let end = min(try pages.data.byteCount(), (Int(pages.meta.lastPage) + 1) * pageBytes)
    do throws(FileError) {
      for number in 0..<2 {
        var page = ByteWriter(byteCount: pageBytes)
        page.put(pages.metaBytes, at: 0)
        // A page begins with its number.
        page.put(UInt64(number), at: 0)
        try files.write(page.bytes, to: file, at: number * pageBytes)
      }
      var offset = 2 * pageBytes
      while offset < end {
        let part = try files.bytes(of: pages.data.file, at: offset, min(Self.bytesAtATime, end - offset))
        if part.isEmpty { break }
        try files.write(part, to: file, at: offset)
        offset += part.count
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Lets LMDB write the pages that are in use one behind the other.
  ///
  /// It reads them through its map and trusts them, so they are checked before.
  func writeCompact(_ engine: Engine) throws {
    try PageCheck.report(on: pages.data, pages.meta).throwIfDamaged(engine.path)
    let file = try target.openData()
    // LMDB begins a snapshot of its own, of this state or a later one.
    let code = mdb_env_copyfd2(engine.handle, file.descriptor, UInt32(MDB_CP_COMPACT))
    guard code == MDB_SUCCESS else {
      throw StoreError(engine: code, "Copying", path: target.directory, options: engine.options)
    }
  }
}

extension PageReport {
  /// Throws the first problem as an error of the store at `path`.
  func throwIfDamaged(_ path: String) throws(StoreError) {
    guard let problem = problems.problems.first else { return }
    throw .damaged(path: path, reason: "\(problem)".trimmingSentenceEnd)
  }
}

extension String {
  /// Without a full stop at the end, for use within another sentence.
  fileprivate var trimmingSentenceEnd: String {
    hasSuffix(".") ? String(dropLast()) : self
  }
}
