// The part of a creation that makes the store survive: the log, the first checkpoint, the names.
extension StoreCreation {
  /// Completes a store of which `creating.mdb` has been written, with `lsn` as the number of its last commit.
  func completeLogged(_ store: StoreIdentifier, lsn: UInt64 = 0, in folder: OpenFile) throws {
    // First of all the name by which remains are recognised.
    let ring = try files.open(paths[StorePaths.unfinishedCheckpoint], for: .creating)
    try files.write(
      [UInt8](repeating: 0, count: CheckpointRing.slotCount * CheckpointRecord.slotByteCount), to: ring, at: 0)
    try files.sync(ring)
    try files.sync(folder)

    let data = DataFile(
      try files.open(paths[StorePaths.unfinishedData], for: .writing), path: paths.directory, files)
    let meta = try data.newestMetaPage()
    try data.writeIdentity(store, pageBytes: meta.pageBytes)
    try data.sync()

    let timeline = UInt64.random(in: .min ... .max)
    let end = LogEnd(
      position: LogPosition(segment: 0, offset: SegmentHeader.firstFrame), lsn: lsn, chain: timeline,
      timeline: timeline)
    for (number, name) in StorePaths.segments.enumerated() {
      let file = try files.open(paths[name], for: .creating)
      let segment = LogSegment(number: number, file: file, byteCount: 0, files: files)
      try segment.fill(to: LogSegment.byteCountMin)
      if number == end.position.segment {
        try segment.writeHeader(SegmentHeader(segment: number, store: store, timeline: timeline, firstLSN: lsn + 1))
        try segment.sync()
      }
    }
    let snapshot = try data.meta(of: meta.transaction)
    try CheckpointRing(ring, files).write(
      CheckpointRecord(
        generation: 1, store: store, pageBytes: snapshot.pageBytes, snapshot: meta.transaction, log: end,
        segmentByteCount: LogSegment.byteCountMin, meta: snapshot.bytes))
    try files.sync(folder)

    // One name after the other: there must be no store without its data.
    try files.rename(paths[StorePaths.unfinishedData], to: paths[StorePaths.data])
    try files.sync(folder)
    try files.rename(paths[StorePaths.unfinishedCheckpoint], to: paths[StorePaths.checkpoint])
    try files.sync(folder)
  }
}
