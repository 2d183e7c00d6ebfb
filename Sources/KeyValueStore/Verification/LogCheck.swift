/// What a check of the log has found.
struct LogReport {
  var problems = ProblemList()
  var notes: [VerificationNote] = []
  /// The commits behind the checkpoint.
  var frames = 0
  var byteCount = 0
  /// Whether the last of them is a large transaction that was not acknowledged.
  var isInterrupted = false
}

/// Checks the ring of checkpoints, and the log behind the newest one: every frame up to where a power cut may have ended it.
struct LogCheck {
  private let files: StoreFiles
  private let record: CheckpointRecord
  /// The tables that a frame may change. Nil when they are not known.
  private var tables: Set<String>?
  private(set) var report = LogReport()

  /// `tables` are those of the checkpoint's snapshot or of a later one.
  init(_ files: StoreFiles, from record: CheckpointRecord, tables: Set<String>?) {
    self.files = files
    self.record = record
    self.tables = tables
  }

  mutating func run() throws(StoreError) {
    try checkRing()
    try checkSegments()
    try checkFrames()
  }

  // MARK: - Ring and segments

  /// The two records before the newest one have slots that nothing has been written to since. If the sync of one has failed,
  /// the medium may have anything in its place, and recovery does not need it.
  private mutating func checkRing() throws(StoreError) {
    let records: [CheckpointRecord?]
    do { records = try files.ring.records() } catch { throw StoreError(error) }
    for age in 1...2 where record.generation > UInt64(age) {
      let generation = record.generation - UInt64(age)
      let slot = Int(generation % UInt64(CheckpointRing.slotCount))
      if let found = records[slot], found.store != record.store {
        note(StorePaths.checkpoint, "slot \(slot) has a record of another store")
      } else if records[slot]?.generation != generation {
        report.notes.append(.recordMissing(generation: generation))
      }
    }
  }

  private mutating func checkSegments() throws(StoreError) {
    do { _ = try files.newestRecord() } catch .damaged(_, let reason) {
      report.problems.append(.damaged(reason: reason))
    }
    do throws(FileError) {
      for segment in files.segments {
        let name = StorePaths.segments[segment.number]
        if try segment.fileByteCount() < LogSegment.byteCountMin { note(name, "it has been cut off") }
        // The one that is not in use may have a header that was being written.
        if let header = try segment.header(), header.store != record.store { note(name, "it belongs to another store") }
      }
    } catch {
      throw StoreError(error)
    }
  }

  private mutating func note(_ name: String, _ reason: String) {
    report.problems.append(.file(name: name, reason: reason))
  }

  // MARK: - Frames

  private mutating func checkFrames() throws(StoreError) {
    var reader = LogReader(files.segments, from: record.log, path: files.paths.directory)
    do throws(StoreError) {
      while let header = try reader.next() {
        report.frames += 1
        report.byteCount += header.frameByteCount
        if let reason = problem(in: reader.payload) {
          note(StorePaths.segments[reader.end.position.segment], "commit \(header.lsn) \(reason)")
        }
        if report.isInterrupted { return }
      }
    } catch .damaged(_, let reason) {
      report.problems.append(.damaged(reason: reason))
    }
  }

  /// What is wrong with the operations of a frame whose checksum is right; nil when nothing is.
  private mutating func problem(in payload: UnsafeRawBufferPointer) -> String? {
    var operations = LogOperations(payload)
    var names: [String] = []
    var isFirst = true
    do {
      while let operation = try operations.next() {
        switch operation {
        case .table(let name):
          if (try? Table.checkName(name)) == nil { return "names a table '\(name)', which no table can be called" }
          names.append(name)
        case .create(let table): tables?.insert(names[table])
        case .put(let table, let key, _), .delete(let table, let key):
          guard (1...StoredKey.longByteCount).contains(key.count) else { return "has a key of \(key.count) bytes" }
          if !isKnown(names[table]) { return "changes table '\(names[table])', which there is not" }
        case .clear(let table):
          if !isKnown(names[table]) { return "clears table '\(names[table])', which there is not" }
        case .bulk:
          if !isFirst { return "is marked as a large transaction, and has operations" }
          report.isInterrupted = true
        }
        isFirst = false
      }
      return nil
    } catch {
      return "has bytes that are no operation, at offset \(error.offset)"
    }
  }

  private func isKnown(_ table: String) -> Bool {
    tables?.contains(table) ?? true
  }
}
