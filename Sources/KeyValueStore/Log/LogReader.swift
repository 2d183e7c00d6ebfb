/// Reads the frames of a log one by one, from a checkpoint's position to the end of what can be trusted.
struct LogReader {
  private static let blockByteCount = 4096

  private let path: String
  private let segments: [LogSegment]
  private let window = LogWindow()
  private var hasLeftFirstSegment = false
  /// Behind the last frame that was read.
  private(set) var end: LogEnd
  /// The operations of the last frame that was read, valid until the next one is.
  private(set) var payload = UnsafeRawBufferPointer(start: nil, count: 0)

  /// `path` is the store's folder, for errors.
  init(_ segments: [LogSegment], from start: LogEnd, path: String) {
    self.path = path
    self.segments = segments
    end = start
  }

  /// Reads the next frame; nil at the end.
  ///
  /// Throws `StoreError.damaged` when there is none here although a later one says that it was on the medium.
  mutating func next() throws(StoreError) -> FrameHeader? {
    let here = end.position
    let nextBlock = (here.offset + Self.blockByteCount - 1) / Self.blockByteCount * Self.blockByteCount
    if let header = try frame(at: here) { return header }
    if nextBlock != here.offset, let header = try frame(at: LogPosition(segment: here.segment, offset: nextBlock)) {
      return header
    }
    if !hasLeftFirstSegment, let header = try frame(at: here.otherSegment) {
      hasLeftFirstSegment = true
      return header
    }
    try checkNothingFollows()
    return nil
  }

  /// Lets the next read begin at an earlier place.
  mutating func goBack(to end: LogEnd) {
    self.end = end
  }

  /// Reads the frame that begins at a position, if it is the next one.
  private mutating func frame(at position: LogPosition) throws(StoreError) -> FrameHeader? {
    let segment = segments[position.segment]
    do throws(FileError) {
      guard let header = FrameHeader(try window.bytes(of: segment, at: position.offset, FrameHeader.byteCount)),
        header.timeline == end.timeline, header.lsn == end.lsn + 1,
        header.payloadByteCount <= FrameCollector.payloadBytesAllowed
      else { return nil }
      let frame = try window.bytes(of: segment, at: position.offset, header.frameByteCount)
      guard frame.count == header.frameByteCount else { return nil }
      let payload = UnsafeRawBufferPointer(rebasing: frame[FrameHeader.byteCount...])
      guard header.isSound(frame, payload: payload, chain: end.chain) else { return nil }
      self.payload = payload
      end.position = LogPosition(segment: position.segment, offset: position.offset + header.frameByteCount)
      end.lsn = header.lsn
      end.chain = header.checksum
      return header
    } catch {
      throw StoreError(error)
    }
  }

  /// The next frame is missing. A power cut explains that, unless it was on the medium when a later one was written.
  private func checkNothingFollows() throws(StoreError) {
    let missing = end.lsn + 1
    for position in [end.position, end.position.otherSegment] {
      var offset: Int? = position.offset
      while let start = offset {
        let found: (header: FrameHeader, offset: Int)?
        do { found = try window.findHeader(in: segments[position.segment], from: start) } catch {
          throw StoreError(error)
        }
        guard let found else { break }
        if found.header.timeline == end.timeline, found.header.lsn > missing, found.header.durable >= missing {
          throw .damaged(
            path: path,
            reason: "commit \(missing) in its log can't be read, and commit \(found.header.lsn) behind it can")
        }
        offset = found.offset + FrameHeader.alignment
      }
    }
  }
}
