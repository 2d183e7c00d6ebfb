import KeyValueStore
import Synchronization

private let pageBytes = 4096

/// Leaves meta pages as they are when the store is rolled back to a checkpoint.
struct MetasNotRolledBack: FileSystemLayer {
  /// Whether only the second one is left.
  let isOnlySecond: Bool

  func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) throws(FileError) {
    // Nothing but a rollback writes whole pages there.
    let isRolledBack = file.path.hasSuffix("/data.mdb") && bytes.count == pageBytes && offset <= pageBytes
    if isRolledBack, !isOnlySecond || offset == pageBytes { return }
    try files.write(bytes, to: file, at: offset)
  }
}

/// Keeps every checkpoint's record in the same place.
struct RecordInPlace: FileSystemLayer {
  private static func place(_ offset: Int, in file: OpenFile) -> Int {
    file.path.hasSuffix("/checkpoint") || file.path.hasSuffix("/checkpoint.tmp") ? offset % pageBytes : offset
  }

  func read(_ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    try files.read(file, at: Self.place(offset, in: file), into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) throws(FileError) {
    try files.write(bytes, to: file, at: Self.place(offset, in: file))
  }
}

/// Finds nothing in the log.
struct LogIgnored: FileSystemLayer {
  func read(_ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    let count = try files.read(file, at: offset, into: buffer)
    if file.path.contains("/wal."), offset >= pageBytes { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
    return count
  }
}

/// Asks again when a sync has failed, and believes the answer.
struct FailedSyncRetried: FileSystemLayer {
  func sync(_ file: OpenFile) throws(FileError) {
    do { try files.sync(file) } catch { try files.sync(file) }
  }

  func syncData(_ file: OpenFile) throws(FileError) {
    do { try files.syncData(file) } catch { try files.syncData(file) }
  }
}

/// Leaves out the first two records that are written after the store was opened. They make what was found certain before
/// anything is changed: a recovery that rolls back writes one for that, and one that takes over writes it twice.
final class FirstRecordMissing: FileSystemLayer {
  private static let count = 2

  private let written = Mutex<[ObjectIdentifier: Int]>([:])

  func open(_ path: String, for use: FileUse) throws(FileError) -> OpenFile {
    let file = try files.open(path, for: use)
    // It may have the place of one that is gone.
    written.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(file)) }
    return file
  }

  func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) throws(FileError) {
    let number = written.withLock { written in
      written[ObjectIdentifier(file), default: 0] += 1
      return written[ObjectIdentifier(file), default: 0]
    }
    if file.path.hasSuffix("/checkpoint"), number <= Self.count { return }
    try files.write(bytes, to: file, at: offset)
  }
}
