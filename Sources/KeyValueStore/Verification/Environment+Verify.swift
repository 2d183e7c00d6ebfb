extension Environment {
  /// Checks everything in the store that can be checked without knowing what its values mean: that each page of the data
  /// file is sound and used exactly once, that all trees are sorted and as large as they say, and that the log has every
  /// commit behind the newest checkpoint.
  ///
  /// It checks one snapshot while others read and write. It reads the files beside LMDB, so that damage does not end the
  /// process. `progress` is called now and then, and ends the verification by throwing.
  ///
  /// Throws when the files can't be read, and what `progress` throws. What is wrong with the store is in the report.
  public func verify(progress: (VerificationProgress) throws -> Void = { _ in }) throws -> VerificationReport {
    try checkOpen()
    return try core.verify(progress: progress)
  }

  /// Checks the store in a folder as `verify` does, and opens nothing for writing.
  ///
  /// A store that nobody has open is checked as it lies there, also when it needs recovery; whoever wants to open it
  /// meanwhile waits. Otherwise one snapshot is checked.
  ///
  /// Throws when there is no store, when the files can't be read, and what `progress` throws. What is wrong with the store
  /// is in the report.
  public static func verify(
    at directory: String, progress: (VerificationProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    try verify(at: directory, files: SystemFiles(), progress: progress)
  }

  /// Checks the store in a folder, through other file operations.
  package static func verify(
    at directory: String, files: any FileSystem, progress: (VerificationProgress) throws -> Void = { _ in }
  ) throws -> VerificationReport {
    var options = Options()
    options.access = .readOnly
    let opening = StoreOpening(at: directory, options: options, files: files)
    _ = try opening.prepareFolder()
    let report = try ClosedVerification(opening).run(progress: progress)
    if let report { return report }
    let environment = try Environment(at: directory, options: options, files: files)
    defer { environment.close() }
    var open = try environment.verify(progress: progress)
    open.notes.insert(.inUse, at: 0)
    return open
  }
}

extension EnvironmentCore {
  /// How often the log is read again when checkpoints overtake the check.
  private static let logAttemptsMax = 5

  fileprivate func verify(progress: (VerificationProgress) throws -> Void) throws -> VerificationReport {
    let files = try filesBesideLMDB()
    return try withPinnedPages { pages in
      var report = VerificationReport()
      // If there is no record, that is a problem of the log.
      let pinned = (try? files?.newestRecord().snapshot) ?? .max
      let found = try PageCheck.report(on: pages.data, pages.meta, pinnedFrom: pinned, progress: progress)
      report.add(found, pageBytes: pages.meta.pageBytes)
      if let files { try checkLog(of: files, &report) }
      return report
    }
  }

  private func checkLog(of files: StoreFiles, _ report: inout VerificationReport) throws {
    do {
      var before: [StoreProblem] = []
      for _ in 0..<Self.logAttemptsMax {
        let record = try files.newestRecord()
        guard record.store == self.record.identifier else {
          report.append(.file(name: StorePaths.checkpoint, reason: "it belongs to another store than the open one"))
          return
        }
        var check = LogCheck(files, from: record, tables: nil)
        try check.run()
        // The segments are used again after the next checkpoint. And where the end of the log was read before later commits
        // were written and looked for, these seem to have a gap before them; it is elsewhere the next time.
        let problems = check.report.problems.problems
        if problems == before, try files.newestRecord().generation == record.generation {
          report.add(check.report)
          return
        }
        before = problems
      }
      report.notes.append(.logNotCompared)
    } catch StoreError.damaged(_, let reason) {
      report.append(.damaged(reason: reason))
    }
  }

  /// The store's files, opened once more; nil for a store in memory, which has none beside LMDB's.
  private func filesBesideLMDB() throws -> StoreFiles? {
    guard let resources, !isTemporary else { return nil }
    let paths = StorePaths(directory: directory)
    return try StoreFiles(paths, resources.data.files, folder: resources.folder, for: .reading)
  }
}

extension PageCheck {
  /// How many pages are read between two reports of progress.
  private static let pagesPerReport: UInt64 = 256

  static func report(
    on data: DataFile, _ meta: SnapshotMeta, pinnedFrom: UInt64 = .max,
    progress: (VerificationProgress) throws -> Void = { _ in }
  ) throws -> PageReport {
    try withoutActuallyEscaping(progress) { progress in
      try report(on: data.file, data.files, meta: meta, pinnedFrom: pinnedFrom) { count in
        if count % pagesPerReport == 0 {
          try progress(VerificationProgress(pagesRead: count, pagesTotal: meta.lastPage + 1))
        }
      }
    }
  }
}
