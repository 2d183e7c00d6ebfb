import Foundation
import Glibc
import SyncEngine

/// Text that arrives in pieces, in a temporary file without a name: it is gone when nobody uses it any more, whatever happens.
struct PayloadSpool: ~Copyable {
  /// Pieces are collected up to this size before they are written.
  private static let bufferByteCount = 1 << 18

  private let file: Int32
  private var buffer: [UInt8] = []

  /// - Throws: `SyncError.temporaryFile`.
  private init() throws(SyncError) {
    let folder = FileManager.default.temporaryDirectory.path
    var path = Array("\(folder)/payload-XXXXXX".utf8CString)
    file = mkstemp(&path)
    guard file >= 0 else { throw Self.failure("in \(folder)") }
    unlink(path)
    buffer.reserveCapacity(Self.bufferByteCount)
  }

  deinit { close(file) }

  /// All pieces of a sequence, one behind another, mapped into memory.
  ///
  /// - Throws: What the sequence throws; `SyncError.temporaryFile`, `SyncError.cancelled`.
  nonisolated(nonsending) static func collect<Chunks: AsyncSequence>(
    _ chunks: Chunks
  ) async throws -> PayloadText where Chunks.Element: Sequence<UInt8> {
    var spool = try PayloadSpool()
    do {
      for try await chunk in chunks {
        if Task.isCancelled { throw SyncError.cancelled }
        try spool.append(chunk)
      }
    } catch is CancellationError {
      throw SyncError.cancelled
    }
    // A sequence may end early when its task is cancelled, and half a payload is none.
    if Task.isCancelled { throw SyncError.cancelled }
    return try spool.text()
  }

  private mutating func append(_ chunk: some Sequence<UInt8>) throws(SyncError) {
    buffer.append(contentsOf: chunk)
    if buffer.count >= Self.bufferByteCount { try flush() }
  }

  private mutating func flush() throws(SyncError) {
    var offset = 0
    while offset < buffer.count {
      let count = buffer.withUnsafeBytes { write(file, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("while it was written") }
      offset += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private mutating func text() throws(SyncError) -> PayloadText {
    try flush()
    if lseek(file, 0, SEEK_END) == 0 { return .array([]) }
    guard let text = MappedText(file: file) else { throw Self.failure("while it was mapped") }
    return .mapped(text)
  }

  private static func failure(_ place: String) -> SyncError {
    .temporaryFile(reason: "\(place): \(String(cString: strerror(errno)))")
  }
}
