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

  /// Lets the file begin anew with what the process is about to do. In the process whose standard error it is.
  static func note(activity: String) {
    var line = activityMark + activity + "\n"
    ftruncate(STDERR_FILENO, 0)
    lseek(STDERR_FILENO, 0, SEEK_SET)
    _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// What the process was doing, if it has said so.
  var activity: String? {
    lines.first.flatMap { $0.hasPrefix(Self.activityMark) ? String($0.dropFirst(Self.activityMark.count)) : nil }
  }

  /// The first line of what was written when it died.
  var message: String? {
    lines.first { !$0.hasPrefix(Self.activityMark) }
  }

  /// A line that begins so is not from a dying library.
  private static let activityMark = "\u{1}"

  private var lines: [String] {
    var bytes = [UInt8](repeating: 0, count: LastWords.byteCountMax)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return [] }
    return bytes[..<count].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}
