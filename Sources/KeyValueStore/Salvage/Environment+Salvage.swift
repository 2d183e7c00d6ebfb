extension Environment {
  /// Makes a store of everything that can still be read of a damaged one that nobody has open: the entries of all sound pages, and
  /// the commits of the log behind them.
  ///
  /// Whatever the files hold, it ends, and does not take the process with it: the damaged store is read beside LMDB, page by page. It
  /// is not changed. What it makes has the same entries, and nothing else: it is another store, with an identifier of its own.
  ///
  /// - Parameters:
  ///   - source: The folder of the damaged store.
  ///   - directory: A new or empty folder.
  ///   - progress: Called before each page, with how many were read. What it throws ends the work.
  /// - Returns: What was read, and what not.
  /// - Throws: `StoreError.inUse` if somebody has the damaged store open; `.damaged` when not even its first pages can be read; what
  ///   writing throws.
  package static func salvage(
    _ source: String, into directory: String, progress: @escaping (UInt64) throws -> Void = { _ in }
  ) throws -> SalvageReport {
    let opening = StoreOpening(at: source, options: Options(access: .readOnly), files: SystemFiles())
    let folder = try opening.openFolder()
    let admission = try SharedAdmission(opening.paths, opening.files)
    if admission.isOccupied { throw StoreError.inUse(path: opening.directory) }
    return try withExtendedLifetime(admission) {
      let environment = try Environment(at: directory, options: Options(durability: .relaxed))
      defer { environment.close() }
      let salvage = Salvage(opening, folder: folder, into: environment)
      try salvage.run(progress: progress)
      return salvage.report
    }
  }
}

/// One salvage. A class, because the walk through the trees tells it of what it meets.
private final class Salvage: EntryVisitor {
  private static let bytesPerWrite = 4 << 20

  private let opening: StoreOpening
  private let folder: OpenFile
  private let target: Environment
  private var tables: [String: Table] = [:]
  /// What is to be written next.
  private var batch: [(table: Table, key: [UInt8], value: [UInt8])] = []
  private var batchByteCount = 0
  private(set) var report = SalvageReport()

  init(_ opening: StoreOpening, folder: OpenFile, into target: Environment) {
    self.opening = opening
    self.folder = folder
    self.target = target
  }

  func run(progress: @escaping (UInt64) throws -> Void) throws {
    let data = try DataFile(opening.paths, opening.files, for: .reading)
    let record = newestRecord()
    // The pages of the newest checkpoint are on the medium; what LMDB has written since may be so in parts.
    let pinned = record.flatMap { try? SnapshotMeta($0.meta) }
    let meta = try pinned ?? SnapshotMeta(try data.meta(of: data.newestMetaPage().transaction).bytes)
    let found = try PageCheck.report(on: data.file, data.files, meta: meta, visitor: self, beforePage: progress)
    report.problems = found.problems.problems
    report.problemsBeyond = found.problems.countBeyond
    try write()
    if let record, pinned != nil { try applyLog(from: record) } else { report.logProblem = "it has no checkpoint" }
    try write()
  }

  private func newestRecord() -> CheckpointRecord? {
    guard let ring = try? CheckpointRing(opening.paths, opening.files, for: .reading) else { return nil }
    return try? ring.newest()
  }

  // MARK: Pages

  func visit(table name: String) throws {
    if !Table.isReserved(name), tables[name] == nil, (try? Table.checkName(name)) != nil {
      tables[name] = try target.table(name)
      report.entries[name] = 0
    }
  }

  func visit(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, of table: String) throws {
    guard let table = tables[table], !key.isEmpty else { return }
    report.entries[table.name, default: 0] += 1
    batch.append((table, Array(key), Array(value)))
    batchByteCount += key.count + value.count
    if batchByteCount > Self.bytesPerWrite { try write() }
  }

  private func write() throws {
    if batch.isEmpty { return }
    let entries = batch
    batch = []
    batchByteCount = 0
    try target.write { transaction in
      for entry in entries { try transaction.put(entry.value, for: entry.key, in: entry.table) }
    }
  }

  // MARK: Log

  private func applyLog(from record: CheckpointRecord) throws {
    do {
      let files = try StoreFiles(opening.paths, opening.files, folder: folder, for: .reading)
      var reader = LogReader(files.segments, from: record.log, path: opening.directory)
      while try reader.next() != nil {
        guard try apply(LogOperations(reader.payload)) else { return }
        report.commitsApplied += 1
      }
    } catch StoreError.damaged(_, let reason) {
      report.logProblem = reason
    } catch let error as LogOperations.Unreadable {
      report.logProblem = "a commit has bytes that are no change, at offset \(error.offset)"
    }
  }

  /// Applies one commit; false for a large one that was not acknowledged.
  private func apply(_ operations: LogOperations) throws -> Bool {
    var operations = operations
    var names: [String] = []
    var changes: [(table: Table, key: [UInt8], value: [UInt8]?)] = []
    while let operation = try operations.next() {
      switch operation {
      case .bulk: return false
      case .table(let name): names.append(name)
      case .create(let table): try visit(table: names[table])
      case .put(let table, let key, let value):
        guard let table = tables[names[table]] else { continue }
        if key.count != StoredKey.longByteCount {
          changes.append((table, Array(key), Array(value)))
        } else if let parts = LongEntry.parts(value) {
          changes.append((table, Array(parts.key), Array(parts.value)))
        }
      case .delete(let table, let key):
        // A long key is known by its hash only here, and stays; nothing that counts has keys that long.
        if let table = tables[names[table]], key.count != StoredKey.longByteCount {
          changes.append((table, Array(key), nil))
        }
      case .clear(let table):
        try writeChanges(changes)
        changes = []
        if let table = tables[names[table]] { try target.write { try $0.removeAll(in: table) } }
      }
    }
    try writeChanges(changes)
    return true
  }

  private func writeChanges(_ changes: [(table: Table, key: [UInt8], value: [UInt8]?)]) throws {
    if changes.isEmpty { return }
    try target.write { transaction in
      for change in changes {
        if let value = change.value {
          try transaction.put(value, for: change.key, in: change.table)
        } else {
          _ = try transaction.delete(change.key, in: change.table)
        }
      }
    }
  }
}
