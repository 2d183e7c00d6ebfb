/// The files of a store beside LMDB's lock file, open.
struct StoreFiles: Sendable {
  let paths: StorePaths
  let files: any FileSystem
  let folder: OpenFile
  let data: DataFile
  let ring: CheckpointRing
  let segments: [LogSegment]

  /// Opens the files of a store, in the folder `folder`; throws when one is missing.
  init(_ paths: StorePaths, _ files: any FileSystem, folder: OpenFile, for use: FileUse) throws(StoreError) {
    self.paths = paths
    self.files = files
    self.folder = folder
    data = try DataFile(paths, files, for: use)
    var segments: [LogSegment] = []
    do throws(FileError) {
      ring = try CheckpointRing(paths, files, for: use)
      for (number, name) in StorePaths.segments.enumerated() {
        let file = try files.open(paths[name], for: use)
        let byteCount = try files.status(of: file).byteCount
        segments.append(
          LogSegment(
            number: number, file: file, byteCount: min(byteCount, LogSegment.byteCountMax), files: files))
      }
    } catch {
      throw StoreError(error, opening: use)
    }
    self.segments = segments
  }

  /// The newest record, if the log that it leads to is there and belongs to the same store.
  func newestRecord() throws(StoreError) -> CheckpointRecord {
    let record: CheckpointRecord?
    do { record = try ring.newest() } catch { throw StoreError(error) }
    guard let record else {
      throw .damaged(path: paths.directory, reason: "its \(StorePaths.checkpoint) has no valid record")
    }
    try check(segments[record.log.position.segment], for: record)
    try checkIsNewest(record)
    return record
  }

  /// Throws if the log shows that there was a newer record, which must have been damaged.
  ///
  /// A record that was being written when the power failed is no damage, and leads back to the one before it. But the
  /// first frame of a timeline is written only when the record of its beginning is on the medium.
  private func checkIsNewest(_ record: CheckpointRecord) throws(StoreError) {
    let position = record.log.position.otherSegment
    let found: SegmentHeader?
    do { found = try segments[position.segment].header() } catch { throw StoreError(error) }
    guard let header = found, header.store == record.store, header.segment == position.segment,
      header.timeline != record.log.timeline, header.firstLSN > record.log.lsn
    else { return }
    let start = LogEnd(
      position: position, lsn: header.firstLSN - 1, chain: header.timeline, timeline: header.timeline)
    var log = LogReader(segments, from: start, path: paths.directory)
    guard try log.next() != nil else { return }
    // The mark of a bulk transaction that has come to nothing is left where the recovery has found it.
    var operations = LogOperations(log.payload)
    if case .bulk? = try? operations.next() { return }
    throw .damaged(path: paths.directory, reason: "its \(StorePaths.checkpoint) has lost its newest record")
  }

  private func check(_ segment: LogSegment, for record: CheckpointRecord) throws(StoreError) {
    let name = StorePaths.segments[segment.number]
    let header: SegmentHeader?
    let byteCount: Int
    do throws(FileError) {
      header = try segment.header()
      byteCount = try segment.fileByteCount()
    } catch {
      throw StoreError(error)
    }
    guard let header else {
      throw .damaged(path: paths.directory, reason: "its \(name) does not begin as a log does")
    }
    guard header.store == record.store else {
      throw .damaged(path: paths.directory, reason: "its \(name) belongs to another store than its other files")
    }
    guard header.segment == segment.number, header.timeline == record.log.timeline,
      header.firstLSN <= record.log.lsn + 1
    else {
      throw .damaged(path: paths.directory, reason: "its \(name) is not the one that its checkpoint goes on with")
    }
    if byteCount < record.segmentByteCount {
      throw .damaged(path: paths.directory, reason: "its \(name) has been cut off")
    }
  }
}
