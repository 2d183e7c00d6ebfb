import Glibc

/// A part of a segment in memory, so that reading small frames does not ask the system for each.
final class LogWindow {
  private static let byteCount = 256 << 10

  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 8)
  private var segment: LogSegment?
  private var start = 0
  private var count = 0

  deinit {
    memory.deallocate()
  }

  /// Bytes of a segment, fewer where its file ends. They are valid until the next call.
  func bytes(of segment: LogSegment, at offset: Int, _ byteCount: Int) throws(FileError) -> UnsafeRawBufferPointer {
    let isLoaded = self.segment === segment && offset >= start && offset + byteCount <= start + count
    if !isLoaded { try load(segment, at: offset, byteCount) }
    let available = max(0, min(byteCount, start + count - offset))
    return UnsafeRawBufferPointer(rebasing: memory[(offset - start)..<(offset - start + available)])
  }

  /// The first header of a frame at an offset or behind it; nil when there is none in the rest of the segment.
  func findHeader(
    in segment: LogSegment, from offset: Int
  ) throws(FileError) -> (header: FrameHeader, offset: Int)? {
    var offset = offset
    while true {
      let part = try rest(of: segment, from: offset)
      if part.count < FrameHeader.byteCount { return nil }
      // What is too near to the end to be a whole header is looked at with the next part.
      let last = part.count - FrameHeader.byteCount
      var place = 0
      while let found = part.firstIndex(of: FrameHeader.firstByte, in: place...last) {
        if found % FrameHeader.alignment == 0,
          let header = FrameHeader(UnsafeRawBufferPointer(rebasing: part[found...]))
        {
          return (header, offset + found)
        }
        place = found + 1
        if place > last { break }
      }
      offset += last / FrameHeader.alignment * FrameHeader.alignment + FrameHeader.alignment
    }
  }

  /// What is in memory from an offset on, which is at least a header unless the file ends before. A search that has found a
  /// header goes on right behind it, and must not read all of it again.
  private func rest(of segment: LogSegment, from offset: Int) throws(FileError) -> UnsafeRawBufferPointer {
    let isLoaded =
      self.segment === segment && offset >= start && offset + FrameHeader.byteCount <= start + count
    if !isLoaded { try load(segment, at: offset, Self.byteCount) }
    return UnsafeRawBufferPointer(rebasing: memory[(offset - start)..<count])
  }

  private func load(_ segment: LogSegment, at offset: Int, _ byteCount: Int) throws(FileError) {
    if byteCount > memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: byteCount, alignment: 8)
    }
    self.segment = nil
    count = try segment.read(at: offset, into: memory)
    self.segment = segment
    start = offset
  }
}

extension UnsafeRawBufferPointer {
  /// Where a byte is first in a part. Most of a log is zeros, which the C library skips quickly.
  fileprivate func firstIndex(of byte: UInt8, in part: ClosedRange<Int>) -> Int? {
    guard let baseAddress, let found = memchr(baseAddress + part.lowerBound, Int32(byte), part.count) else {
      return nil
    }
    return UnsafeRawPointer(found) - baseAddress
  }
}
