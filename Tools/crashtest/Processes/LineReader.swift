import Glibc

/// Reads lines from a pipe, and waits for each only so long.
struct LineReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private(set) var hasTimedOut = false

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next line without its end; nil at the end of the pipe, or when nothing has come in time.
  mutating func next(waiting milliseconds: Int32) -> Substring? {
    hasTimedOut = false
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Substring(decoding: buffer[start..<end], as: UTF8.self)
      }
      buffer.removeFirst(start)
      start = 0
      guard fill(milliseconds) else { return nil }
    }
  }

  private mutating func fill(_ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&request, 1, milliseconds)
    if ready == 0 { hasTimedOut = true }
    guard ready > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return false }
    buffer += chunk.prefix(count)
    return true
  }
}
