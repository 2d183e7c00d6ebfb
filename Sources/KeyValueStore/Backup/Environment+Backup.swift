import CLMDB

extension Environment {
  /// Writes the newest snapshot into a folder that is new or empty, as a store of its own.
  ///
  /// Others read and write meanwhile. What is copied is one committed state with every write that was acknowledged before
  /// the call, and it is on the medium when the call returns. It takes little memory, however large the store is; but as
  /// with any long snapshot, space that is freed meanwhile can't be used again before it ends.
  ///
  /// The copy is the same store: it has the same identifier, so what refers to the one finds the same things in the other.
  /// It is not the same file, though, and has a log of its own that no part of the original's can be taken for.
  ///
  /// A backup that fails or is interrupted leaves no store. What an interruption leaves can't be opened, and the next
  /// backup to the same folder replaces it.
  ///
  /// With `compact`, free pages are left out and the others put in order, which makes the copy as small as possible and
  /// takes longer.
  ///
  /// Throws `StoreError.folderNotEmpty` when something else is in the folder, `StoreError.insideOfStore` when the folder
  /// lies within this store's own, `StoreError.damaged` when a page is, and what the system refuses.
  public func backup(to directory: String, compact: Bool = false) throws {
    try checkOpen()
    try core.backUp(to: directory, isCompact: compact)
  }

  /// Whether a folder is free for a backup, or for a new store: it does not exist, nothing is in it, or what an interrupted
  /// backup has left.
  ///
  /// Throws what the system refuses.
  package static func isFree(_ directory: String) throws -> Bool {
    let paths = StoreOpening(at: directory, options: Environment.Options(), files: SystemFiles()).paths
    do {
      if try SystemFiles().status(of: paths.directory) == nil { return true }
      try BackupTarget.checkIsFree(paths, SystemFiles())
      return true
    } catch StoreError.folderNotEmpty {
      return false
    }
  }
}

extension EnvironmentCore {
  fileprivate func backUp(to directory: String, isCompact: Bool) throws {
    guard let resources else { throw StoreError.closed(path: self.directory) }
    let target = try BackupTarget(directory, resources.data.files, outsideOf: resources.folder)
    do {
      try target.begin()
      try withPinnedPages { pages in
        let copy = BackupCopy(pages, to: target)
        if isCompact { try copy.writeCompact(engine) } else { try copy.write() }
      }
      // LMDB may have copied a bulk transaction that it has and the medium has not. Beginning a snapshot waits for that, and
      // throws if it has come to nothing.
      if isCompact { try read { _ in } }
      try target.complete(record, options)
    } catch {
      target.discard()
      throw error
    }
  }
}
