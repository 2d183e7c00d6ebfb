import CLMDB

/// A store that is ready for writing: what recovery leaves.
struct RecoveredStore {
  let engine: Engine
  let data: DataFile
  let log: WriteAheadLog
  let checkpointer: Checkpointer
  /// How many commits were only in the log.
  let commitsRecovered: Int
  /// What has to happen before the first frame; nil when it has.
  var resumption: Resumption?
}

/// Brings a store to the state of its last acknowledged commit: docs/recovery.md, "Opening".
struct Recovery {
  let files: StoreFiles
  let options: Environment.Options

  private var path: String { files.paths.directory }

  /// Opens a store that exists, in the way that its state and the company ask for.
  func open(isAlone: Bool) throws(StoreError) -> RecoveredStore {
    if let closed = try openClosed() { return closed }
    return isAlone ? try rollBack() : try takeOver()
  }

  // MARK: - With nothing to recover

  /// Opens a store that lies as it was closed, whoever else reads it, and changes nothing that is to survive; nil when there is
  /// anything to recover.
  private func openClosed() throws(StoreError) -> RecoveredStore? {
    let record = try files.newestRecord()
    guard record.isClosed, try !hasFailedSync(), try files.isAtSnapshot(of: record),
      try files.data.hasIdentity(of: record.store, pageBytes: record.pageBytes)
    else { return nil }
    try files.data.check(record)
    let engine = try openEngine(mapBytesMin: try files.data.byteCount())
    do throws(StoreError) {
      let pin = try Pin(engine)
      try checkSnapshot(of: record, pin, engine)
      try engine.clearStaleReaders()
      let log = WriteAheadLog(store: record.store, segments: files.segments, end: record.log)
      let checkpointer = try Checkpointer(
        engine: engine, data: files.data, ring: files.ring, record: record, pin: pin)
      return RecoveredStore(
        engine: engine, data: files.data, log: log, checkpointer: checkpointer, commitsRecovered: 0,
        resumption: Resumption(files: files, log: log, checkpointer: checkpointer))
    } catch {
      engine.close()
      throw error
    }
  }

  private func hasFailedSync() throws(StoreError) -> Bool {
    do { return try files.files.status(of: files.paths[StorePaths.failedSync]) != nil } catch {
      throw StoreError(error)
    }
  }

  // MARK: - With nobody else there

  /// Rolls LMDB back to the newest checkpoint and applies the log to it, whatever has happened before. May be
  /// interrupted anywhere and run again.
  func rollBack() throws(StoreError) -> RecoveredStore {
    let record = try reissue(try files.newestRecord())
    try files.data.check(record)
    do { try files.data.rollBack(to: record) } catch { throw StoreError(error) }
    let engine = try openEngine(mapBytesMin: try files.data.byteCount())
    do throws(StoreError) {
      let pin = try Pin(engine)
      try checkSnapshot(of: record, pin, engine)
      let store = try replay(behind: record, pin, engine)
      try forgetFailedSync()
      return store
    } catch {
      engine.close()
      throw error
    }
  }

  /// Writes the record once more, as the next generation into the next slot, and returns when it is on the medium.
  ///
  /// What was read may be in the system's cache only, and then the one on the medium is older, and needs pages that this
  /// one's pin would free. The slot that was read stays as it is, for the case that the new one is torn.
  private func reissue(_ record: CheckpointRecord) throws(StoreError) -> CheckpointRecord {
    var record = record
    record.generation += 1
    do throws(FileError) {
      try files.ring.sync()
      try files.ring.write(record)
      try files.files.sync(files.folder)
    } catch {
      throw StoreError(error)
    }
    return record
  }

  /// A record is not trusted alone: LMDB, rolled back, must be where it says.
  private func checkSnapshot(of record: CheckpointRecord, _ pin: Pin, _ engine: Engine) throws(StoreError) {
    let (lsn, store) = try engine.read { (transaction) throws(StoreError) in
      (try engine.lsn(transaction), try engine.readRecord(transaction).identifier)
    }
    guard store == record.store else {
      throw .damaged(path: path, reason: "its \(StorePaths.data) belongs to another store than its other files")
    }
    guard lsn == record.log.lsn, pin.snapshot == record.snapshot else {
      throw .damaged(
        path: path, reason: "its \(StorePaths.data) is not the one that its \(StorePaths.checkpoint) was written for")
    }
  }

  private func forgetFailedSync() throws(StoreError) {
    do { try files.files.remove(files.paths[StorePaths.failedSync]) } catch { throw StoreError(error) }
  }

  /// Opens a store that this process has just created: its record is known to be on the medium, and there is nothing
  /// behind it.
  func openNew() throws(StoreError) -> RecoveredStore {
    let record = try files.newestRecord()
    let engine = try openEngine(mapBytesMin: 0)
    do throws(StoreError) {
      let pin = try Pin(engine)
      return RecoveredStore(
        engine: engine, data: files.data,
        log: WriteAheadLog(store: record.store, segments: files.segments, end: record.log),
        checkpointer: try Checkpointer(
          engine: engine, data: files.data, ring: files.ring, record: record, pin: pin),
        commitsRecovered: 0)
    } catch {
      engine.close()
      throw error
    }
  }

  // MARK: - With others there

  /// Takes over from a writer that is dead or has closed, while others still read. The system's cache has all that it
  /// wrote then, and nobody's snapshot may be disturbed.
  func takeOver() throws(StoreError) -> RecoveredStore {
    var record = try files.newestRecord()
    if try hasFailedSync() { throw .failedSync(path: path) }
    try files.data.check()
    let engine = try openEngine(mapBytesMin: try files.data.byteCount())
    do throws(StoreError) {
      let pin = try Pin(engine)
      let end = try logEnd(of: pin, engine, from: record)
      // The checkpoint comes before any change: the dead writer's pin is gone, and with the first change the pages of the
      // record's snapshot would be used again.
      record = try write(pin, end, after: record)
      try engine.clearStaleReaders()
      return try replay(behind: record, pin, engine)
    } catch {
      engine.close()
      throw error
    }
  }

  /// Where the log is at LMDB's newest snapshot.
  private func logEnd(
    of pin: Pin, _ engine: Engine, from record: CheckpointRecord
  ) throws(StoreError) -> LogEnd {
    guard let lsn = try engine.read({ (transaction) throws(StoreError) in try engine.lsn(transaction) }),
      lsn >= record.log.lsn
    else {
      throw .damaged(path: path, reason: "its \(StorePaths.data) is older than its \(StorePaths.checkpoint)")
    }
    var reader = LogReader(files.segments, from: record.log, path: path)
    while reader.end.lsn < lsn {
      if try reader.next() == nil {
        throw .damaged(
          path: path, reason: "its log ends at commit \(reader.end.lsn), and its \(StorePaths.data) has commit \(lsn)")
      }
    }
    return reader.end
  }

  // MARK: - In both cases

  /// Makes the snapshot of a pin, which contains the log up to `end`, a checkpoint from which the log goes on there, and
  /// returns its record.
  private func write(
    _ pin: Pin, _ end: LogEnd, after record: CheckpointRecord
  ) throws(StoreError) -> CheckpointRecord {
    let meta = try files.data.meta(of: pin.snapshot)
    let newer = CheckpointRecord(
      generation: record.generation + 1, store: record.store, pageBytes: meta.pageBytes, snapshot: pin.snapshot,
      log: end, segmentByteCount: files.segments[end.position.segment].byteCount, meta: meta.bytes,
      isClosed: record.isClosed && end == record.log)
    do throws(FileError) {
      try files.data.sync()
      try bringSegment(of: newer, after: record)
      // The older record may be in the system's cache only. Were writers to die here one after the other, their records would
      // go round the ring and reach the slot of the last durable one.
      try files.ring.sync()
      let written = try files.ring.writeTwice(newer)
      try files.files.sync(files.folder)
      return written
    } catch {
      throw StoreError(error)
    }
  }

  /// Brings the segment in which the log goes on to the medium, as far as a record says that it is there: its header and
  /// its size. What was read of it may be in the system's cache only.
  private func bringSegment(of newer: CheckpointRecord, after record: CheckpointRecord) throws(FileError) {
    let place = newer.log.position.segment
    let segment = files.segments[place]
    // The header that the older record rests on is on the medium and must not be torn. The other segment's is written anew:
    // if the sync of it has failed, the system would not do that by itself.
    if place != record.log.position.segment {
      try segment.writeHeader(
        SegmentHeader(
          segment: place, store: newer.store, timeline: newer.log.timeline, firstLSN: newer.log.lsn + 1))
    }
    try segment.sync()
  }

  private func openEngine(mapBytesMin: Int) throws(StoreError) -> Engine {
    try ReaderTable(path: files.paths[StorePaths.readers], files: files.files).reserve(options)
    return try Engine(
      opening: path, flags: MDB_NOSYNC, mapBytes: max(options.mapBytesInitial, mapBytesMin), path: path,
      options: options)
  }

  /// Applies what the log has behind a record, and begins a new timeline at a checkpoint behind that.
  private func replay(
    behind record: CheckpointRecord, _ pin: Pin, _ engine: Engine
  ) throws(StoreError) -> RecoveredStore {
    var replay = LogReplay(engine)
    let end =
      record.isClosed
      ? record.log
      : try replay.run(files.segments, from: record.log) { () throws(StoreError) in try engine.doubleMap() }
    var newest = record
    var pin = pin
    if end.position.segment != record.log.position.segment {
      // Both segments have frames that the record needs, and neither may be written to before a newer one is durable.
      let newer = try Pin(engine)
      newest = try write(newer, end, after: record)
      pin.release()
      pin = newer
    }
    let log = WriteAheadLog(store: record.store, segments: files.segments, end: end)
    let checkpointer = try Checkpointer(
      engine: engine, data: files.data, ring: files.ring, record: newest, pin: pin)
    do throws(CheckpointFailure) {
      let pending = try checkpointer.begin(log, timeline: Resumption.timeline)
      do { try checkpointer.finish(pending) } catch { throw CheckpointFailure(error) }
    } catch {
      checkpointer.releasePin()
      throw error.store
    }
    return RecoveredStore(
      engine: engine, data: files.data, log: log, checkpointer: checkpointer,
      commitsRecovered: Int(end.lsn - record.log.lsn))
  }
}

extension Engine {
  /// Makes the map twice as large. No write transaction and no snapshot that is read from may be open.
  fileprivate func doubleMap() throws(StoreError) {
    var info = MDB_envinfo()
    try check(mdb_env_info(handle, &info), "Reading the size of the map")
    try check(mdb_env_set_mapsize(handle, 2 * info.me_mapsize), "Growing the map to \(2 * info.me_mapsize) bytes")
  }
}
