import KeyValueStore
import Synchronization

/// The system's files, except that one call fails, or that something happens before it.
package final class FaultyFiles: FileSystem {
  private let files = SystemFiles()
  private let called = Mutex<[FileOperation]>([])
  private let isEverythingRemote: Bool
  private let isTearingWrites: Bool
  private let beforeWrite: @Sendable (String, Int) throws(FileError) -> Void
  private let beforeCall: @Sendable (Int, FileOperation, String) throws(FileError) -> Void

  /// `beforeCall` gets the number of each call, from 0, what it is, and the path; `beforeWrite` the path and the place. When
  /// writes are torn, a half of those that fail has been written.
  package init(
    isEverythingRemote: Bool = false, isTearingWrites: Bool = false,
    beforeWrite: @escaping @Sendable (String, Int) throws(FileError) -> Void = { (_, _) throws(FileError) in },
    _ beforeCall: @escaping @Sendable (Int, FileOperation, String) throws(FileError) -> Void
  ) {
    self.isEverythingRemote = isEverythingRemote
    self.isTearingWrites = isTearingWrites
    self.beforeWrite = beforeWrite
    self.beforeCall = beforeCall
  }

  /// Pretends that every file is on another machine.
  package static func remote() -> FaultyFiles {
    FaultyFiles(isEverythingRemote: true) { _, _, _ in }
  }

  /// Fails one call with an error of the system.
  package convenience init(failing number: Int, with errno: Int32) {
    self.init { (call, operation, path) throws(FileError) in
      if call == number { throw FileError(operation, path, errno: errno) }
    }
  }

  /// What has been called, in order.
  package var calls: [FileOperation] { called.withLock { $0 } }

  private func note(_ operation: FileOperation, _ path: String) throws(FileError) {
    let number = called.withLock { calls in
      calls.append(operation)
      return calls.count - 1
    }
    try beforeCall(number, operation, path)
  }

  package func status(of path: String) throws(FileError) -> FileStatus? {
    try note(.status, path)
    return try files.status(of: path)
  }

  package func status(of file: OpenFile) throws(FileError) -> FileStatus {
    try note(.status, file.path)
    return try files.status(of: file)
  }

  package func isRemote(_ file: OpenFile) throws(FileError) -> Bool {
    try note(.status, file.path)
    let isRemote = try files.isRemote(file)
    return isEverythingRemote || isRemote
  }

  package func names(in folder: String) throws(FileError) -> [String] {
    try note(.list, folder)
    return try files.names(in: folder)
  }

  package func makeFolder(_ path: String) throws(FileError) {
    try note(.makeFolder, path)
    try files.makeFolder(path)
  }

  package func open(_ path: String, for use: FileUse) throws(FileError) -> OpenFile {
    try note(.open, path)
    return try files.open(path, for: use)
  }

  package func read(_ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError)
    -> Int
  {
    try note(.read, file.path)
    return try files.read(file, at: offset, into: buffer)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) throws(FileError) {
    do throws(FileError) {
      try note(.write, file.path)
      try beforeWrite(file.path, offset)
    } catch {
      if isTearingWrites {
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))
        try files.write(part, to: file, at: offset)
        throw FileError(error.operation, error.path, errno: error.errno, isPartial: true)
      }
      throw error
    }
    try files.write(bytes, to: file, at: offset)
  }

  package func truncate(_ file: OpenFile, to byteCount: Int) throws(FileError) {
    try note(.truncate, file.path)
    try files.truncate(file, to: byteCount)
  }

  package func reserve(_ byteCount: Int, for file: OpenFile) throws(FileError) {
    try note(.reserve, file.path)
    try files.reserve(byteCount, for: file)
  }

  package func sync(_ file: OpenFile) throws(FileError) {
    try note(.sync, file.path)
    try files.sync(file)
  }

  package func syncData(_ file: OpenFile) throws(FileError) {
    try note(.sync, file.path)
    try files.syncData(file)
  }

  package func lock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError) -> Bool {
    try note(.lock, file.path)
    return try files.lock(file, byte: byte, kind)
  }

  package func waitForLock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError) {
    try note(.lock, file.path)
    try files.waitForLock(file, byte: byte, kind)
  }

  package func isLocked(_ file: OpenFile, byte: Int) throws(FileError) -> Bool {
    try note(.lock, file.path)
    return try files.isLocked(file, byte: byte)
  }

  package func unlock(_ file: OpenFile, byte: Int) throws(FileError) {
    // Also where it is to fail, as a kill would end the lock. Left to the closing of the file, it would live on for a moment in a child
    // process that another test is just starting.
    try files.unlock(file, byte: byte)
    try note(.lock, file.path)
  }

  package func rename(_ path: String, to newPath: String) throws(FileError) {
    try note(.rename, path)
    try files.rename(path, to: newPath)
  }

  package func remove(_ path: String) throws(FileError) {
    try note(.remove, path)
    try files.remove(path)
  }
}
