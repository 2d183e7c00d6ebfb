/// Gives the folder of a store another name, so that a new store can be made under its own.
///
/// Nothing is deleted or changed, and only a store is moved: a folder that nobody has open, with nothing but files of a store
/// in it.
struct StoreMove {
  private let paths: StorePaths
  private let files: any FileSystem

  init(of directory: String, _ files: any FileSystem) {
    paths = StorePaths(directory: StorePaths.absolute(StorePaths.withoutTrailingSlashes(directory)))
    self.files = files
  }

  /// Moves the folder beside itself, under the first of the names `NAME.damaged-1`, `NAME.damaged-2` ... that is free.
  ///
  /// - Returns: The folder's new path.
  func run() throws(StoreError) -> String {
    let folder = try folder()
    return try CoreRegistry.shared.whileClosed(folder, path: paths.directory) { () throws(StoreError) in
      try checkContents()
      // As for opening it: who gets both locks is alone, and whoever waits for them sees that the folder has gone.
      let lock = try WriterLock(paths, files)
      defer { withExtendedLifetime(lock) {} }
      let presence = try presence()
      defer { withExtendedLifetime(presence) {} }
      guard presence.isAlone else { throw .inUse(path: paths.directory) }
      return try rename()
    }
  }

  private func folder() throws(StoreError) -> FileIdentity {
    let status: FileStatus?
    do { status = try files.status(of: paths.directory) } catch { throw StoreError(error) }
    guard let status else { throw .noSuchStore(path: paths.directory) }
    guard status.isFolder else { throw .notADirectory(path: paths.directory) }
    return status.identity
  }

  private func checkContents() throws(StoreError) {
    let names: [String]
    do { names = try files.names(in: paths.directory) } catch { throw StoreError(error) }
    guard let foreign = Set(names).subtracting(StorePaths.all).min() else { return }
    throw .notAStore(path: paths.directory, reason: "it has '\(foreign)' in it")
  }

  private func presence() throws(StoreError) -> Presence {
    do { return try Presence(paths, files, for: .readWrite) } catch { throw StoreError(error, opening: .creating) }
  }

  private func rename() throws(StoreError) -> String {
    do throws(FileError) {
      var number = 1
      while try files.status(of: name(number)) != nil { number += 1 }
      try files.rename(paths.directory, to: name(number))
      try files.sync(try files.open(StorePaths.parent(of: paths.directory), for: .reading))
      return name(number)
    } catch {
      throw StoreError(error)
    }
  }

  private func name(_ number: Int) -> String { "\(paths.directory).damaged-\(number)" }
}

extension Environment {
  /// Moves the folder of a store that can't be used out of the way, beside itself. Nothing of it is deleted.
  ///
  /// - Returns: The folder's new path.
  /// - Throws: `StoreError.inUse` or `.lockedByAnotherProcess` when somebody has it open, `.notAStore` when there is something
  ///   else in the folder, `.noSuchStore`, `.notADirectory`, and what the system refuses. Nothing was moved then.
  package static func moveAside(_ directory: String, files: any FileSystem = SystemFiles()) throws(StoreError) -> String
  {
    try StoreMove(of: directory, files).run()
  }
}
