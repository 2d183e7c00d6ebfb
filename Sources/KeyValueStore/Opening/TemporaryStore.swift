import Glibc

extension StoreOpening {
  /// A file system in memory with less space than this is not used for temporary stores.
  private static let memoryBytesMin: UInt = 256 << 20

  /// Creates and opens a store whose files have no names any more when this returns.
  static func temporary(options: Environment.Options) throws(StoreError) -> EnvironmentCore {
    var options = options
    options.access = .readWrite
    let folder = try makeTemporaryFolder()
    var opening = StoreOpening(
      at: folder, options: options, files: SystemFiles(), committer: EngineCommitter(isDurable: false))
    opening.isTemporary = true
    defer { opening.removeNames() }
    return try opening.open(onClose: {})
  }

  /// The files live on without names until they are closed, and then the system takes their space back, even if the
  /// process has been killed.
  private func removeNames() {
    for name in [StorePaths.data, StorePaths.readers, StorePaths.writerLock] { try? files.remove(paths[name]) }
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
