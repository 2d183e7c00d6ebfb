/// The verification of a store that nobody has open: what the next opening would find, and whether that can be trusted.
struct ClosedVerification {
  private let opening: StoreOpening
  private var paths: StorePaths { opening.paths }

  init(_ opening: StoreOpening) {
    self.opening = opening
  }

  /// Nil when somebody has the store open.
  func run(progress: (VerificationProgress) throws -> Void) throws -> VerificationReport? {
    let folder = try opening.openFolder()
    // While the admission is held, nobody opens the store.
    let admission = try SharedAdmission(paths, opening.files)
    if admission.isOccupied { return nil }
    var report = VerificationReport()
    do {
      guard try StoreFolder(paths, opening.files) == .occupied else {
        throw StoreError.noSuchStore(path: paths.directory)
      }
      let files = try StoreFiles(paths, opening.files, folder: folder, for: .reading)
      try noteOtherFiles(&report)
      try check(files, &report, progress: progress)
    } catch StoreError.damaged(_, let reason) {
      report.append(.damaged(reason: reason))
    }
    return report
  }

  private func noteOtherFiles(_ report: inout VerificationReport) throws {
    let names: [String]
    do { names = try opening.files.names(in: paths.directory) } catch { throw StoreError(error) }
    if names.contains(StorePaths.failedSync) { report.notes.append(.failedSync) }
    let others = Set(names).subtracting(StorePaths.all)
    if !others.isEmpty { report.notes.append(.otherFiles(count: others.count)) }
  }

  private func check(
    _ files: StoreFiles, _ report: inout VerificationReport, progress: (VerificationProgress) throws -> Void
  ) throws {
    let newest: CheckpointRecord?
    do { newest = try files.ring.newest() } catch { throw StoreError(error) }
    guard let record = newest else {
      report.append(.file(name: StorePaths.checkpoint, reason: "no slot has a valid record"))
      return
    }
    guard let meta = try? SnapshotMeta(record.meta), meta.pageBytes == record.pageBytes,
      meta.transaction == record.snapshot
    else {
      report.append(.file(name: StorePaths.checkpoint, reason: "record \(record.generation) leads nowhere"))
      return
    }
    do { try files.data.checkIdentity(record) } catch StoreError.damaged(_, let reason) {
      report.append(.damaged(reason: reason))
    }
    let found = try PageCheck.report(on: files.data, meta, pinnedFrom: record.snapshot, progress: progress)
    report.add(found, pageBytes: meta.pageBytes)
    try compare(found, record, &report)
    var log = LogCheck(files, from: record, tables: found.problems.isEmpty ? Set(found.entries.keys) : nil)
    try log.run()
    report.add(log.report)
    try checkMetaPages(files, record, log.report, &report)
  }

  /// A record is not trusted alone: the snapshot must be what it says.
  private func compare(
    _ found: PageReport, _ record: CheckpointRecord, _ report: inout VerificationReport
  ) throws(StoreError) {
    if let format = found.newerFormat {
      throw .newerFormat(path: paths.directory, found: format, supported: StoreRecord.formatSupported)
    }
    guard found.problems.isEmpty else { return }
    if found.record?.identifier != record.store {
      report.append(.file(name: StorePaths.data, reason: "it does not say that it is the store of its checkpoint"))
    }
    if found.lsn != record.log.lsn {
      let lsn = found.lsn.map { "\($0)" } ?? "none"
      report.append(
        .file(
          name: StorePaths.data, reason: "its last commit is \(lsn), and that of its checkpoint \(record.log.lsn)"))
    }
  }

  /// The first two pages are as the record has them, unless the store was not closed: then the next opening writes them.
  private func checkMetaPages(
    _ files: StoreFiles, _ record: CheckpointRecord, _ log: LogReport, _ report: inout VerificationReport
  ) throws {
    let slot = Int(record.snapshot & 1)
    let pages = try (0..<2).map { try files.data.bytes(at: $0 * record.pageBytes, CheckpointRecord.metaByteCount) }
    let metas = pages.map { try? SnapshotMeta($0) }
    let isNewest = metas[1 - slot].map { $0.transaction <= record.snapshot } ?? false
    if pages[slot] == record.meta, isNewest, log.frames == 0 {
      var faults: [String] = []
      for (number, page) in pages.enumerated() where page.number(at: 0, as: UInt64.self) != UInt64(number) {
        faults.append("its page \(number) says that it is another one")
      }
      if try !files.data.hasIdentity(of: record.store, pageBytes: record.pageBytes) {
        faults.append("its first pages don't both say which store they belong to")
      }
      if !faults.isEmpty, try isAtRest(files, record) {
        for fault in faults { report.append(.file(name: StorePaths.data, reason: fault)) }
      } else if !faults.isEmpty {
        report.notes.append(.firstPagesUnfinished)
      }
    } else {
      report.notes.append(.needsRecovery(commits: log.isInterrupted ? log.frames - 1 : log.frames))
    }
    if log.isInterrupted { report.notes.append(.interruptedTransaction) }
  }

  /// Whether a power cut can't explain anything in the data: the store was closed, and no opening has begun since. That
  /// would have repeated the record, note and all, before it wrote a page.
  private func isAtRest(_ files: StoreFiles, _ record: CheckpointRecord) throws(StoreError) -> Bool {
    let records: [CheckpointRecord?]
    do { records = try files.ring.records() } catch { throw StoreError(error) }
    let previous = records.compactMap { $0 }.first { $0.generation + 1 == record.generation }
    return record.isClosed && previous?.isClosed == false
  }
}

/// A lock that keeps everybody from opening a store, taken without writing anything.
final class SharedAdmission {
  private let file: OpenFile?
  private let files: any FileSystem
  /// Whether somebody has the store open.
  let isOccupied: Bool

  /// Waits while somebody opens the store. Without a lock file, as in a copy on a medium for reading only, there is nobody.
  init(_ paths: StorePaths, _ files: any FileSystem) throws(StoreError) {
    self.files = files
    do throws(FileError) {
      guard try files.status(of: paths[StorePaths.writerLock]) != nil else {
        file = nil
        isOccupied = false
        return
      }
      let file = try files.open(paths[StorePaths.writerLock], for: .reading)
      try files.waitForLock(file, byte: Presence.admissionByte, .shared)
      isOccupied = try files.isLocked(file, byte: Presence.presenceByte)
      self.file = file
    } catch {
      throw StoreError(error)
    }
  }

  deinit {
    if let file { try? files.unlock(file, byte: Presence.admissionByte) }
  }
}
