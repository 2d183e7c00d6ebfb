import KeyValueStore

/// The system's files, except for the operations that a conforming type implements itself.
protocol FileSystemLayer: FileSystem {}

extension FileSystemLayer {
  var files: SystemFiles { SystemFiles() }

  func status(of path: String) throws(FileError) -> FileStatus? { try files.status(of: path) }
  func status(of file: OpenFile) throws(FileError) -> FileStatus { try files.status(of: file) }
  func isRemote(_ file: OpenFile) throws(FileError) -> Bool { try files.isRemote(file) }
  func names(in folder: String) throws(FileError) -> [String] { try files.names(in: folder) }
  func makeFolder(_ path: String) throws(FileError) { try files.makeFolder(path) }
  func open(_ path: String, for use: FileUse) throws(FileError) -> OpenFile { try files.open(path, for: use) }

  func read(_ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    try files.read(file, at: offset, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) throws(FileError) {
    try files.write(bytes, to: file, at: offset)
  }

  func truncate(_ file: OpenFile, to byteCount: Int) throws(FileError) { try files.truncate(file, to: byteCount) }
  func reserve(_ byteCount: Int, for file: OpenFile) throws(FileError) { try files.reserve(byteCount, for: file) }
  func sync(_ file: OpenFile) throws(FileError) { try files.sync(file) }
  func syncData(_ file: OpenFile) throws(FileError) { try files.syncData(file) }

  func lock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError) -> Bool {
    try files.lock(file, byte: byte, kind)
  }

  func waitForLock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError) {
    try files.waitForLock(file, byte: byte, kind)
  }

  func isLocked(_ file: OpenFile, byte: Int) throws(FileError) -> Bool { try files.isLocked(file, byte: byte) }
  func unlock(_ file: OpenFile, byte: Int) throws(FileError) { try files.unlock(file, byte: byte) }
  func rename(_ path: String, to newPath: String) throws(FileError) { try files.rename(path, to: newPath) }
  func remove(_ path: String) throws(FileError) { try files.remove(path) }
}
