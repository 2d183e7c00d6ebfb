import Glibc

// The locks are those of the open file description (OFD): unlike classic ones they are not dropped when another descriptor
// of the file is closed, and they hold within a process too.
extension SystemFiles {
  /// The three commands, which Glibc hides from Swift behind a feature macro.
  private enum Command {
    static let test: Int32 = 36
    static let set: Int32 = 37
    static let setAndWait: Int32 = 38
  }

  package func lock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError) -> Bool {
    var request = Self.request(byte, kind.systemKind)
    if fcntl(file.descriptor, Command.set, &request) == 0 { return true }
    if errno == EAGAIN || errno == EACCES { return false }
    throw FileError(.lock, file.path, errno: errno)
  }

  package func waitForLock(_ file: OpenFile, byte: Int, _ kind: FileLock) throws(FileError) {
    var request = Self.request(byte, kind.systemKind)
    while fcntl(file.descriptor, Command.setAndWait, &request) != 0 {
      if errno != EINTR { throw FileError(.lock, file.path, errno: errno) }
    }
  }

  package func isLocked(_ file: OpenFile, byte: Int) throws(FileError) -> Bool {
    var request = Self.request(byte, F_WRLCK)
    guard fcntl(file.descriptor, Command.test, &request) == 0 else {
      throw FileError(.lock, file.path, errno: errno)
    }
    return request.l_type != Int16(F_UNLCK)
  }

  package func unlock(_ file: OpenFile, byte: Int) throws(FileError) {
    var request = Self.request(byte, F_UNLCK)
    guard fcntl(file.descriptor, Command.set, &request) == 0 else {
      throw FileError(.lock, file.path, errno: errno)
    }
  }

  private static func request(_ byte: Int, _ kind: Int32) -> flock {
    var request = flock()
    request.l_type = Int16(kind)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = byte
    request.l_len = 1
    return request
  }
}

extension FileLock {
  fileprivate var systemKind: Int32 {
    switch self {
    case .shared: F_RDLCK
    case .exclusive: F_WRLCK
    }
  }
}
