import Glibc

/// An unnamed file for what a child process writes to its standard error: nothing, unless it dies.
final class LastWords {
  private static let byteCountMax = 4096
  /// Above the numbers that the child's descriptors get.
  private static let descriptorMin: Int32 = 16

  /// The open file, or a negative number where the system has none to give. Without a place for temporary files it is one
  /// that keeps nothing: a store can be read without last words.
  let descriptor: Int32

  init() {
    if let file = tmpfile() {
      descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, LastWords.descriptorMin)
      fclose(file)
    } else {
      let nowhere = open("/dev/null", O_RDWR)
      descriptor = fcntl(nowhere, F_DUPFD_CLOEXEC, LastWords.descriptorMin)
      close(nowhere)
    }
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
