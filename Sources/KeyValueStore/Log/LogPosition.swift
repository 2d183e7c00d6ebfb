/// A place in the log: which of its two segments, and where in that.
struct LogPosition: Sendable, Hashable {
  var segment: Int
  var offset: Int

  /// The beginning of the other segment's frames.
  var otherSegment: LogPosition {
    LogPosition(segment: 1 - segment, offset: SegmentHeader.firstFrame)
  }
}

/// Where the log ends, which is where its next frame is written.
struct LogEnd: Sendable, Hashable {
  var position: LogPosition
  /// The number of the last commit.
  var lsn: UInt64
  /// The checksum of the last frame, or what the timeline begins with.
  var chain: UInt64
  /// A random number that all frames since the last recovery have in common, so that older ones can't be taken for them.
  var timeline: UInt64
}
