import Glibc

/// Standard output behind a buffer. Only data is written here; messages go through `Messages`.
///
/// Not `Sendable`: it belongs to the thread that runs the command.
final class StandardOutput {
  private static let bufferByteCountMax = 64 * 1024

  private let descriptor: Int32
  private let hasColours: Bool
  private var buffer: [UInt8] = []

  init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    hasColours = Terminal(descriptor: descriptor).hasColours
    buffer.reserveCapacity(StandardOutput.bufferByteCountMax)
  }

  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a line for people to read, whatever its text contains, in a style if there are colours.
  func writeLine(_ text: String, _ style: TextStyle? = nil) throws {
    let escaped = TerminalText.escaped(text)
    try write(hasColours ? style?.applied(to: escaped) ?? escaped : escaped)
    try write("\n")
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if buffer.count + bytes.count > StandardOutput.bufferByteCountMax { try flush() }
    if bytes.count > StandardOutput.bufferByteCountMax {
      try emit(bytes)
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  /// Hands everything to the system. What is not flushed is not written.
  func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    try buffer.withUnsafeBytes { try emit($0) }
  }

  private func emit(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EINTR {
        try Interruption.check()
      } else {
        throw errno == EPIPE ? OutputError.readerGone : .failed(errno: errno)
      }
    }
  }
}

/// Why data could not be written.
enum OutputError: Error, Equatable {
  /// The reading end of the pipe was closed, as `head` does: nobody wants the rest.
  case readerGone
  case failed(errno: Int32)
}

extension OutputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .readerGone: "The reader of the output has gone."
    case .failed(let errno): "The output could not be written: \(String(cString: strerror(errno)))."
    }
  }
}
