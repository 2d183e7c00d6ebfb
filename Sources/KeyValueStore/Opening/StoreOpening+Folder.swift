import Glibc

extension StoreOpening {
  /// Finds the folder and, for writing, creates it and the ones above it that are missing.
  func prepareFolder() throws(StoreError) -> FileIdentity {
    // The system would take a zero byte for the end of the path.
    if directory.isEmpty || directory.utf8.contains(0) { throw .notADirectory(path: directory) }
    let status: FileStatus?
    let isSQLite: Bool
    do throws(FileError) {
      var found = try files.status(of: directory)
      if found == nil, options.access == .readWrite {
        try makeFolders(to: directory)
        found = try files.status(of: directory)
      }
      status = found
      // What is no file, such as a pipe, has no bytes to look at.
      isSQLite =
        if let found, !found.isFolder, found.byteCount > 0 { try DataFile.isSQLite(directory, files) } else { false }
    } catch {
      throw StoreError(error)
    }
    guard let status else { throw .noSuchStore(path: directory) }
    if isSQLite { throw .notAStore(path: directory, reason: "it is a SQLite database") }
    guard status.isFolder else { throw .notADirectory(path: directory) }
    return status.identity
  }

  func openFolder() throws(StoreError) -> OpenFile {
    let folder: OpenFile
    let isRemote: Bool
    do throws(FileError) {
      folder = try files.open(directory, for: .reading)
      isRemote = try files.isRemote(folder)
    } catch {
      throw StoreError(error)
    }
    if isRemote { throw .onNetwork(path: directory) }
    return folder
  }

  private func makeFolders(to path: String) throws(FileError) {
    let parent = StorePaths.parent(of: path)
    if try files.status(of: parent) == nil { try makeFolders(to: parent) }
    try files.makeFolder(path)
    // A folder is there after a power cut only if its name in the one above it is.
    try files.sync(try files.open(parent, for: .reading))
  }
}
