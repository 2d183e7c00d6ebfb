import Foundation

/// The floor of every durable commit: some bytes written into a file that has its full size, and one sync.
final class SyncedFile {
  private static let byteCount = 16 << 20

  private let descriptor: Int32
  private let record: [UInt8]
  private var offset = 0

  /// Makes the file, full of zeros and synced. `recordBytes` are written for each commit, one record behind the other.
  init(at path: String, recordBytes: Int) throws {
    record = [UInt8](repeating: 0xA5, count: recordBytes)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw POSIXError.last }
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for start in stride(from: 0, to: Self.byteCount, by: zeros.count) { try write(zeros, at: start) }
    if fsync(descriptor) != 0 { throw POSIXError.last }
  }

  deinit {
    close(descriptor)
  }

  func commit() throws {
    if offset + record.count > Self.byteCount { offset = 0 }
    try write(record, at: offset)
    offset += record.count
    if fdatasync(descriptor) != 0 { throw POSIXError.last }
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws {
    if pwrite(descriptor, bytes, bytes.count, off_t(offset)) != bytes.count { throw POSIXError.last }
  }
}

extension POSIXError {
  /// The error of the system call that has just failed.
  static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
