import Glibc

/// The lock by which processes know whether others have a store open.
///
/// Two bytes of `store.lock` are for it. *Presence* is shared by all who have the store open; who gets it exclusively is
/// alone. *Admission* is held while somebody finds out and does what follows from it, so that whoever comes next finds a
/// store that has been recovered, or nobody.
final class Presence: Sendable {
  static let presenceByte = 0
  static let admissionByte = 2

  private let file: OpenFile
  private let files: any FileSystem
  private let process = ProcessGeneration.current
  /// Whether nobody else had the store open when this began.
  let isAlone: Bool
  /// Whether the lock file can be written to, and so presumably the store.
  let mayWrite: Bool

  /// Waits for the admission, and finds out whether anybody else is there. Who only reads makes do with a lock file that
  /// can't be written to.
  init(_ paths: StorePaths, _ files: any FileSystem, for access: Environment.Access) throws(FileError) {
    self.files = files
    let path = paths[StorePaths.writerLock]
    (file, mayWrite) = access == .readOnly ? try Self.open(path, files) : (try files.open(path, for: .creating), true)
    try files.waitForLock(file, byte: Self.admissionByte, mayWrite ? .exclusive : .shared)
    if mayWrite {
      isAlone = try files.lock(file, byte: Self.presenceByte, .exclusive)
    } else {
      isAlone = try !files.isLocked(file, byte: Self.presenceByte)
    }
    // Nobody can have an exclusive lock: that needs the admission.
    if !isAlone || !mayWrite { _ = try files.lock(file, byte: Self.presenceByte, .shared) }
  }

  deinit {
    // A forked child has the same opening of the file, and would give up its parent's lock.
    if process != ProcessGeneration.current { return }
    try? files.unlock(file, byte: Self.presenceByte)
    try? files.unlock(file, byte: Self.admissionByte)
  }

  /// Lets others in: the store is as it should be.
  func admitOthers() throws(FileError) {
    _ = try files.lock(file, byte: Self.presenceByte, .shared)
    try files.unlock(file, byte: Self.admissionByte)
  }

  private static func open(_ path: String, _ files: any FileSystem) throws(FileError) -> (OpenFile, Bool) {
    do {
      return (try files.open(path, for: .creating), true)
    } catch  where [EACCES, EPERM, EROFS].contains(error.errno) {
      return (try files.open(path, for: .reading), false)
    }
  }
}
