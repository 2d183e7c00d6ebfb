import TestSupport
import Testing

@testable import KeyValueStore

/// A log of its own, without a store.
struct SampleLog {
  static let start = LogEnd(
    position: LogPosition(segment: 0, offset: SegmentHeader.firstFrame), lsn: 10, chain: 5, timeline: 5)

  let folder: TemporaryFolder
  let log: WriteAheadLog
  private let frames = FrameCollector()
  private let table = Table(name: "t", handle: 2, opening: 0)

  init(_ files: any FileSystem = SystemFiles()) throws {
    folder = try TemporaryFolder()
    var segments: [LogSegment] = []
    for number in 0..<2 {
      let file = try SystemFiles().open(folder["wal.\(number)"], for: .creating)
      let segment = LogSegment(number: number, file: file, byteCount: 0, files: files)
      try segment.fill(to: 64 << 10)
      segments.append(segment)
    }
    log = WriteAheadLog(store: StoreIdentifier(), segments: segments, end: Self.start)
  }

  /// Writes a group of frames, each with values of some sizes.
  func append(_ groups: Int = 1, valueByteCount: Int = 20) throws {
    collect(groups, valueByteCount)
    try log.append(frames)
    frames.removeAll()
  }

  private func collect(_ count: Int, _ valueByteCount: Int) {
    for number in 0..<count {
      frames.beginFrame()
      let value = [UInt8](repeating: 7, count: valueByteCount)
      _ = [UInt8](number: number).withUnsafeBytes { key in value.withUnsafeBytes { frames.put(key, $0, in: table) } }
      _ = frames.endFrame()
    }
  }

  /// Forgets a group that could not be written.
  func drop() {
    frames.removeAll()
  }

  /// What somebody finds who reads it from the beginning.
  func read(from start: LogEnd = start) throws -> [UInt64] {
    var reader = LogReader(log.segments, from: start, path: folder.path)
    var found: [UInt64] = []
    while let header = try reader.next() {
      #expect(header.lsn == reader.end.lsn)
      found.append(header.lsn)
    }
    return found
  }

  /// Changes a byte of a segment.
  func damage(_ segment: Int, at offset: Int) throws {
    try StoreSurgery.change(folder["wal.\(segment)"], at: offset) { $0[0] ^= 0xFF }
  }
}
