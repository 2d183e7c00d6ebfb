import Synchronization

/// One of the log's two files.
///
/// It is full of zeros from the beginning, so that writing a frame changes nothing but the frame's bytes, and a sync has
/// nothing else to bring to the medium.
final class LogSegment: Sendable {
  /// How large a segment is at first.
  static let byteCountMin = 512 << 10
  /// What it may grow to. More would only make recovery longer.
  static let byteCountMax = 16 << 20
  private static let zerosByteCount = 256 << 10

  let number: Int
  let file: OpenFile
  private let files: any FileSystem
  private let nominal: Atomic<Int>
  /// What the first sync failed with that did.
  private let failure = Monitor<FileError?>(nil)

  /// The nominal size: how far it was filled with zeros. A frame may go beyond.
  var byteCount: Int { nominal.load(ordering: .relaxed) }

  /// `byteCount` is what it has been filled to.
  init(number: Int, file: OpenFile, byteCount: Int, files: any FileSystem) {
    self.number = number
    self.file = file
    self.files = files
    nominal = Atomic(byteCount)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
    try files.write(bytes, to: file, at: offset)
  }

  func writeHeader(_ header: SegmentHeader) throws(FileError) {
    try files.write(header.bytes, to: file, at: 0)
  }

  /// Overwrites a frame's header with zeros, so that the frame, and those chained to it, count no more. What has made the
  /// file longer than its nominal size is cut off: on a full disk it would keep everybody else from writing too.
  func erase(from offset: Int) throws(FileError) {
    let zeroCount = min(FrameHeader.byteCount, byteCount - offset)
    if zeroCount > 0 { try files.write([UInt8](repeating: 0, count: zeroCount), to: file, at: offset) }
    let end = max(byteCount, offset)
    if try fileByteCount() > end { try files.truncate(file, to: end) }
  }

  /// Brings what was written to the medium.
  func sync() throws(FileError) {
    _ = try sync(unless: { false }, then: {})
  }

  /// Brings what was written to the medium, and does something then, unless it turns out to be there already. Says whether
  /// it was not.
  ///
  /// One sync comes after the other, and none after one that has failed. The system tells of a failure only once, so of two
  /// at the same time, on the writer thread and in the background, one would succeed without having done anything.
  func sync(unless isSynced: () -> Bool, then: () -> Void) throws(FileError) -> Bool {
    try failure.withLock { (failure) throws(FileError) in
      if let failure { throw failure }
      if isSynced() { return false }
      do throws(FileError) { try files.syncData(file) } catch {
        failure = error
        throw error
      }
      then()
      return true
    }
  }

  /// Fills the file with zeros from its nominal size to a new one, and syncs it. Nothing that counts may lie there.
  func fill(to byteCount: Int) throws(FileError) {
    let zeros = [UInt8](repeating: 0, count: Self.zerosByteCount)
    var offset = self.byteCount
    while offset < byteCount {
      let part = min(zeros.count, byteCount - offset)
      try files.write(part == zeros.count ? zeros : Array(zeros.prefix(part)), to: file, at: offset)
      offset += part
    }
    try files.sync(file)
    nominal.store(byteCount, ordering: .relaxed)
  }

  func header() throws(FileError) -> SegmentHeader? {
    SegmentHeader(try files.bytes(of: file, at: 0, SegmentHeader.byteCount))
  }

  /// Fills a buffer, as far as the file goes, and says how far that was.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    try files.read(file, at: offset, into: buffer)
  }

  func fileByteCount() throws(FileError) -> Int {
    try files.status(of: file).byteCount
  }
}
