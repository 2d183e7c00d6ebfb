import Glibc

/// Makes LMDB's image durable, so that the log can begin anew: docs/recovery.md, "Checkpoints".
///
/// `begin` belongs to the writer thread; a checkpoint that has begun may be finished on any. There is one at a time.
final class Checkpointer: Sendable {
  /// A checkpoint between its beginning and its end.
  struct Pending: Sendable {
    let record: CheckpointRecord
    fileprivate let pin: Pin
    fileprivate let opened: LogSegment
    fileprivate let freed: LogSegment
    fileprivate let freedByteCount: Int
  }

  private struct Newest {
    /// The newest durable record.
    var record: CheckpointRecord
    /// Keeps its snapshot.
    var pin: Pin
    /// Keeps the place in the table of readers for the next one. Nil while a checkpoint has it.
    var spare: Pin?
  }

  private let engine: Engine
  private let data: DataFile
  private let ring: CheckpointRing
  private let newest: Monitor<Newest>

  /// `record` is the newest one, which this process has synced, and `pin` is at a snapshot not younger than that record's.
  init(
    engine: Engine, data: DataFile, ring: CheckpointRing, record: CheckpointRecord, pin: Pin
  ) throws(StoreError) {
    self.engine = engine
    self.data = data
    self.ring = ring
    let spare = try Pin(engine)
    spare.rest()
    newest = Monitor(Newest(record: record, pin: pin, spare: spare))
  }

  /// Pins the newest snapshot, which must contain all of the log, and lets the log go on in its other segment: in a new
  /// timeline after a recovery.
  func begin(_ log: WriteAheadLog, timeline: UInt64? = nil) throws(CheckpointFailure) -> Pending {
    let wasFull = log.isSegmentFull
    let freed = log.current
    do {
      let pin = try takeSpare()
      try pin.renew()
      let meta = try data.meta(of: pin.snapshot)
      try log.switchSegment(timeline: timeline)
      return Pending(
        record: CheckpointRecord(
          generation: newest.withLock { $0.record.generation } + 1, store: log.store, pageBytes: meta.pageBytes,
          snapshot: pin.snapshot,
          log: log.end, segmentByteCount: log.current.byteCount, meta: meta.bytes),
        pin: pin, opened: log.current, freed: freed,
        freedByteCount: wasFull ? min(4 * freed.byteCount, LogSegment.byteCountMax) : freed.byteCount)
    } catch let error as FileError {
      throw CheckpointFailure(error)
    } catch let error as StoreError {
      throw CheckpointFailure(file: nil, store: error)
    } catch {
      throw CheckpointFailure(file: nil, store: .mustReopen(path: engine.path, cause: .engine))
    }
  }

  /// Brings a checkpoint to the medium, and lets the one before it go.
  func finish(_ pending: Pending) throws(FileError) {
    try data.checkExists()
    // The header first: a durable record says that it is there.
    try pending.opened.sync()
    try data.sync()
    #if BROKEN_VARIANTS
    if BrokenVariant.active == .pinReleasedEarly { newest.withLock { $0.pin.rest() } }
    #endif
    let record = try ring.writeTwice(pending.record)
    newest.withLock { newest in
      newest.pin.rest()
      newest = Newest(record: record, pin: pending.pin, spare: newest.pin)
    }
    try grow(pending.freed, to: pending.freedByteCount)
  }

  /// Notes on the medium that the log has nothing behind the newest record, so that the next opening need not look.
  func noteClosed() throws(FileError) {
    var record = newest.withLock { $0.record }
    record.generation += 1
    record.isClosed = true
    try ring.write(record)
  }

  /// Lets the pin go. Only after the last write.
  func releasePin() {
    newest.withLock { newest in
      newest.pin.release()
      newest.spare?.release()
    }
  }

  private func takeSpare() throws(StoreError) -> Pin {
    let spare = newest.withLock { newest in
      defer { newest.spare = nil }
      return newest.spare
    }
    // There is none after a checkpoint that could not be finished, and then there is no other.
    guard let spare else { throw .mustReopen(path: engine.path, cause: .engine) }
    return spare
  }

  /// Makes the segment that is free now larger, if the log has filled its last one.
  private func grow(_ segment: LogSegment, to byteCount: Int) throws(FileError) {
    if byteCount <= segment.byteCount { return }
    do {
      try segment.fill(to: byteCount)
    } catch  where error.errno != ENOSPC && error.errno != EDQUOT {
      throw error
    } catch {
      // It serves with the size that it has.
    }
  }
}

/// Why a checkpoint could not begin.
struct CheckpointFailure: Error {
  /// The file operation that failed; nil when it was LMDB.
  let file: FileError?
  let store: StoreError
}

extension CheckpointFailure {
  init(_ error: FileError) {
    self.init(file: error, store: StoreError(error))
  }
}
