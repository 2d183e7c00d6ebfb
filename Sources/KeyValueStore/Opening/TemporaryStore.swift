import CLMDB
import Glibc

extension StoreOpening {
  /// A file system in memory with less space than this is not used for temporary stores.
  private static let memoryBytesMin: UInt = 256 << 20

  /// Creates and opens a store whose files have no names any more when this returns.
  static func temporary(options: Environment.Options) throws(StoreError) -> EnvironmentCore {
    var options = options
    options.access = .readWrite
    let opening = StoreOpening(at: try makeTemporaryFolder(), options: options, files: SystemFiles())
    defer { opening.removeNames() }
    return try opening.openUnlogged()
  }

  /// Creates and opens a store without a log and without locks, because nobody else will ever see it.
  private func openUnlogged() throws(StoreError) -> EnvironmentCore {
    let folder = try openFolder()
    try StoreCreation(paths: paths, options: options, files: files, isLogged: false).run(in: folder)
    let data = try DataFile(paths, files, for: .writing)
    try ReaderTable(path: paths[StorePaths.readers], files: files).reserve(options)
    let engine = try Engine(
      opening: directory, flags: MDB_NOSYNC, mapBytes: options.mapBytesInitial, path: directory, options: options)
    do throws(StoreError) {
      return EnvironmentCore(
        engine, try engine.readContents(), journal: nil, poison: Poison(paths, files),
        monitor: StoreMonitor(),
        resources: StoreResources(data: data, folder: folder, writerLock: nil, presence: nil), isTemporary: true,
        onClose: {})
    } catch {
      engine.close()
      throw error
    }
  }

  /// The files live on without names until they are closed, and then the system takes their space back, even if the
  /// process has been killed.
  private func removeNames() {
    for name in [StorePaths.data, StorePaths.readers] { try? files.remove(paths[name]) }
    try? files.remove(directory)
  }

  private static func makeTemporaryFolder() throws(StoreError) -> String {
    let shared = "/dev/shm"
    if hasSpace(shared), let folder = try? makeFolder(in: shared) { return folder }
    return try makeFolder(in: getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir)
  }

  private static func hasSpace(_ path: String) -> Bool {
    var info = statvfs()
    return statvfs(path, &info) == 0 && info.f_bavail * info.f_frsize >= memoryBytesMin
  }

  private static func makeFolder(in parent: String) throws(StoreError) -> String {
    var template = Array((parent + "/key-value-store-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw StoreError(FileError(.makeFolder, parent, errno: errno)) }
    return made
  }
}
