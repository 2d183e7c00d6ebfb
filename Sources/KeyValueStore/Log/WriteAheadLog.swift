import Synchronization

/// The log as its writer sees it: where it ends, and how frames get to that end.
///
/// It belongs to the writer thread; only a `PendingSync` may be carried out on another one.
final class WriteAheadLog {
  let store: StoreIdentifier
  let segments: [LogSegment]
  private(set) var end: LogEnd
  private let mark: DurableMark
  /// Whether the next frame has to begin a block of its own: a block that was synced, or is being, must not be written
  /// again, because a power cut could turn all of it to garbage.
  private var startsNewBlock = false
  /// Where the log ended before the last `append`, and where that began, for taking it back.
  private var previous: LogEnd
  private var lastAppend = 0

  private static let blockByteCount = 4096

  /// Takes over two segments whose frames end at `end`, all of them on the medium.
  init(store: StoreIdentifier, segments: [LogSegment], end: LogEnd) {
    self.store = store
    self.segments = segments
    self.end = end
    previous = end
    mark = DurableMark(end.lsn)
  }

  /// The number of the last commit whose frame is on the medium, with all before it.
  var durable: UInt64 { mark.lsn }
  var isSynced: Bool { durable >= end.lsn }
  /// The segment that is written to.
  var current: LogSegment { segments[end.position.segment] }
  /// Whether the segment is full. A frame may go beyond its nominal size all the same.
  var isSegmentFull: Bool { end.position.offset >= current.byteCount }

  /// Writes the collected frames behind the last one, in one call.
  ///
  /// When it throws, the log ends where it did before, unless taking the frames back fails too.
  func append(_ frames: FrameCollector) throws(LogFailure) {
    let (lsn, chain) = frames.seal(behind: end, durable: durable)
    previous = end
    var offset = end.position.offset
    if startsNewBlock { offset = (offset + Self.blockByteCount - 1) / Self.blockByteCount * Self.blockByteCount }
    do throws(FileError) {
      try current.write(frames.bytes, at: offset)
    } catch {
      // There is nothing to take back, for which a disk that is full might have no room either.
      if error.hasWrittenNothing { throw LogFailure(cause: error, isTakenBack: true) }
      do throws(FileError) { try erase(at: offset) } catch { throw LogFailure(cause: error, isTakenBack: false) }
      throw LogFailure(cause: error, isTakenBack: true)
    }
    startsNewBlock = false
    lastAppend = offset
    end.position.offset = offset + frames.byteCount
    end.lsn = lsn
    end.chain = chain
  }

  /// Makes the frames of the last `append` invalid, on the medium too. That is certain if it does not throw.
  func takeBack() throws(FileError) {
    try erase(at: lastAppend)
    end = previous
    // That they were on the medium says nothing of those that come in their place.
    mark.goBack(to: end.lsn)
  }

  /// The frames behind the erased one are chained to it, and so don't count either.
  private func erase(at offset: Int) throws(FileError) {
    try current.erase(from: offset)
    // A part of what was written may be on the medium already.
    try current.sync()
    startsNewBlock = true
  }

  /// Returns when all frames are on the medium. Says whether they were not.
  @discardableResult
  func sync() throws(FileError) -> Bool {
    try beginSync().run()
  }

  /// A sync of what has been written until now.
  func beginSync() -> PendingSync {
    startsNewBlock = true
    return PendingSync(segment: current, lsn: end.lsn, mark: mark)
  }

  /// Goes on in the other segment, which must be free, after a sync: in a new timeline after a recovery; otherwise the
  /// frames there continue the chain.
  func switchSegment(timeline: UInt64? = nil) throws(FileError) {
    #if BROKEN_VARIANTS
    if BrokenVariant.active == .segmentUnsynced { mark.advance(to: end.lsn) }
    #endif
    if !isSynced { try sync() }
    var next = end
    next.position = end.position.otherSegment
    if let timeline {
      next.timeline = timeline
      next.chain = timeline
    }
    #if BROKEN_VARIANTS
    // Behind the end there may be frames of the run before, and their numbers may fit.
    if BrokenVariant.active == .unchainedFrames, timeline != nil { return }
    if BrokenVariant.active == .logReusedEarly { next.position.segment = end.position.segment }
    #endif
    try segments[next.position.segment].writeHeader(
      SegmentHeader(
        segment: next.position.segment, store: store, timeline: next.timeline, firstLSN: next.lsn + 1))
    end = next
    previous = next
    startsNewBlock = false
  }
}

/// A sync of the log that has been decided on.
struct PendingSync: Sendable {
  fileprivate let segment: LogSegment
  fileprivate let lsn: UInt64
  fileprivate let mark: DurableMark

  /// Carries it out, on any thread. Says whether it had to: another one, on the other thread, may have been for the same
  /// frames.
  @discardableResult
  func run() throws(FileError) -> Bool {
    try segment.sync(unless: { mark.lsn >= lsn }, then: { mark.advance(to: lsn) })
  }
}

/// Up to which commit the log is on the medium.
private final class DurableMark: Sendable {
  private let value: Atomic<UInt64>

  init(_ lsn: UInt64) {
    value = Atomic(lsn)
  }

  var lsn: UInt64 { value.load(ordering: .acquiring) }

  func advance(to lsn: UInt64) {
    value.max(lsn, ordering: .acquiringAndReleasing)
  }

  func goBack(to lsn: UInt64) {
    value.min(lsn, ordering: .acquiringAndReleasing)
  }
}

/// Frames that could not be written.
struct LogFailure: Error {
  /// What failed last: the writing, or the taking back.
  let cause: FileError
  /// Whether it is certain that they are not in the log.
  let isTakenBack: Bool
}
