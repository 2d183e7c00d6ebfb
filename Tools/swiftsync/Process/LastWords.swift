import Glibc

/// An unnamed file for what a child process writes to its standard error: nothing, unless it dies.
final class LastWords {
  private static let byteCountMax = 4096

  let descriptor: Int32

  /// - Throws: `ChildProcessError` when there is no place for temporary files.
  init() throws(ChildProcessError) {
    guard let file = tmpfile() else { throw ChildProcessError(errno: errno) }
    defer { fclose(file) }
    // Above the numbers that the child's descriptors get.
    let descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 16)
    guard descriptor >= 0 else { throw ChildProcessError(errno: errno) }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// The first line that was written, or nil.
  func firstLine() -> String? {
    var bytes = [UInt8](repeating: 0, count: LastWords.byteCountMax)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let line = bytes[..<count].split(separator: UInt8(ascii: "\n")).first
    return line.map { String(decoding: $0, as: UTF8.self) }
  }
}
