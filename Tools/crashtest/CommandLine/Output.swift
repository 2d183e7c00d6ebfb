import Glibc

/// Lines for whoever started the tool, written at once, because a campaign takes long and is watched.
enum Output {
  static func line(_ text: String) { write("\(text)\n", to: STDOUT_FILENO) }

  static func message(_ text: String) { write("crashtest: \(text)\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
