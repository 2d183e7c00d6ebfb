import Glibc
import Testing

/// A terminal that a test reads.
final class PseudoTerminal {
  // Of `asm-generic/ioctls.h`: macros that Swift can't import.
  private static let numberRequest: UInt = 0x8004_5430
  private static let unlockRequest: UInt = 0x4004_5431

  /// What a program opens to write there.
  let path: String
  private let reading: Int32
  /// Open until all is read: what was written is gone when a terminal's last user goes.
  private let writing: Int32

  init() throws {
    reading = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var number: Int32 = 0
    var lock: Int32 = 0
    try #require(ioctl(reading, Self.unlockRequest, &lock) == 0 && ioctl(reading, Self.numberRequest, &number) == 0)
    path = "/dev/pts/\(number)"
    writing = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(writing >= 0)
  }

  deinit {
    close(writing)
    close(reading)
  }

  /// What is written until a condition holds and nothing more comes.
  func text(until isOver: () throws -> Bool) throws -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      // In this order, so that nothing is missed that was written before the end.
      let isOver = try isOver()
      var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      _ = poll(&request, 1, isOver ? 0 : 100)
      let count = read(reading, &chunk, chunk.count)
      if count > 0 { bytes += chunk.prefix(count) } else if isOver { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
