/// The file operations that this module does itself, beside LMDB's own.
///
/// They stand behind a protocol so that a test can fail, count or record each of them.
package protocol FileSystem: Sendable {
  /// What is at `path`, following symbolic links; nil when nothing is.
  func status(of path: String) throws(FileError) -> FileStatus?
  /// What an open file is.
  func status(of file: OpenFile) throws(FileError) -> FileStatus
  /// Whether a file lies on another machine.
  func isRemote(_ file: OpenFile) throws(FileError) -> Bool
  /// The names in a folder, without "." and "..", in no particular order.
  func names(in folder: String) throws(FileError) -> [String]
  /// Creates one folder. It is no error when it exists already.
  func makeFolder(_ path: String) throws(FileError)
  /// Opens a file or, for reading, a folder.
  func open(_ path: String, for use: FileUse) throws(FileError) -> OpenFile
  /// Reads until `buffer` is full or the file ends, and says how many bytes that were.
  func read(_ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int
  /// Writes all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) throws(FileError)
  /// Cuts the file, or extends it with zeros.
  func truncate(_ file: OpenFile, to byteCount: Int) throws(FileError)
  /// Makes sure that there is disk space for the file's first bytes, without changing its size. Does nothing where the
  /// file system can't do that.
  func reserve(_ byteCount: Int, for file: OpenFile) throws(FileError)
  /// Returns when the file, or the names in the folder, are on the medium.
  func sync(_ file: OpenFile) throws(FileError)
  /// Returns when the file's content is on the medium, and its size if that has changed, but not its times.
  func syncData(_ file: OpenFile) throws(FileError)
  /// Tries to lock one byte of the file against other openings of it, here or elsewhere, or to change the lock that this
  /// opening has; false when another has a lock that forbids it.
  func lock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError) -> Bool
  /// Locks one byte of the file, and waits until that is possible.
  func waitForLock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError)
  /// Whether another opening of the file has a lock on a byte.
  func isLocked(_ file: OpenFile, byte: Int) throws(FileError) -> Bool
  /// Ends a lock. Closing the file would not do if a child process is just being started, which has the file open too
  /// until its program runs.
  func unlock(_ file: OpenFile, byte: Int) throws(FileError)
  /// Gives a file another name, in one step, replacing what had that name.
  func rename(_ path: String, to newPath: String) throws(FileError)
  /// Removes a file or an empty folder. It is no error when nothing is there.
  func remove(_ path: String) throws(FileError)
}

extension FileSystem {
  /// Up to `byteCount` bytes of a file; fewer where it ends.
  func bytes(of file: OpenFile, at offset: Int, _ byteCount: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    // The standard library's closures forget which errors are thrown.
    let count = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in try read(file, at: offset, into: buffer) }
    }
    return Array(bytes.prefix(try count.get()))
  }

  /// Writes all of `bytes`.
  func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try write(buffer, to: file, at: offset) }
    }
    try result.get()
  }
}

/// What the system says about a file.
package struct FileStatus: Sendable {
  package var isFolder: Bool
  package var byteCount: Int
  /// Whether it has no name any more, and will be gone when it is closed.
  package var isRemoved: Bool
  package var identity: FileIdentity
}

/// What makes two paths the same file: its device and its number there.
package struct FileIdentity: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
}

/// What a file is opened for.
package enum FileUse: Sendable {
  case reading
  case writing
  /// Writing, and the file is created when it is absent.
  case creating
}

/// A lock of one byte of a file.
package enum FileLock: Sendable {
  /// Several may have it, for as long as nobody has an exclusive one. It needs a file that is open for reading.
  case shared
  /// One may have it, while nobody has a shared one. It needs a file that is open for writing.
  case exclusive
}
