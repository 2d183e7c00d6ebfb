/// A commit as the log has it.
package struct LoggedCommit: Sendable, Equatable {
  /// Counts the commits of a store.
  package var number: UInt64
  /// The file that it is in, and where its frame begins there.
  package var file: String
  package var offset: Int
  package var byteCount: Int
  /// All commits up to this one were on the medium when it was written.
  package var durable: UInt64
}

/// What there is to say of a log beside its commits.
package struct LogOutline: Sendable, Equatable {
  /// The newest checkpoint, which counts them, and the last commit in it.
  package var checkpoint: UInt64
  package var checkpointCommit: UInt64
  /// Whether the store was closed with it.
  package var isClosed: Bool
  /// Where the log ends: behind the last commit that can be read.
  package var endFile: String
  package var endOffset: Int
  /// Whether a checkpoint came in between, so that commits may be missing which were overwritten since.
  package var isOvertaken: Bool
}

extension Environment {
  /// Reads the log of the store in a folder: the commits since its newest checkpoint, as the next opening would find them. It takes
  /// no lock and changes nothing, and the store may be open.
  ///
  /// - Parameters:
  ///   - directory: The folder of the store.
  ///   - body: Gets each commit with its operations, whose bytes are valid as long as it runs.
  /// - Returns: Where the log begins and ends.
  /// - Throws: `StoreError.noSuchStore`, `.notAStore`; `.damaged` for a log that lacks commits which it had; what the closure throws.
  package static func readLog(
    at directory: String, _ body: (LoggedCommit, LogOperations) throws -> Void
  ) throws -> LogOutline {
    let opening = StoreOpening(at: directory, options: Options(access: .readOnly), files: SystemFiles())
    let folder = try opening.openFolder()
    guard try StoreFolder(opening.paths, opening.files) == .occupied else {
      throw StoreError.noSuchStore(path: opening.directory)
    }
    let files = try StoreFiles(opening.paths, opening.files, folder: folder, for: .reading)
    let record = try files.newestRecord()
    var reader = LogReader(files.segments, from: record.log, path: opening.directory)
    while let header = try reader.next() {
      let end = reader.end.position
      try body(
        LoggedCommit(
          number: header.lsn, file: StorePaths.segments[end.segment], offset: end.offset - header.frameByteCount,
          byteCount: header.frameByteCount, durable: header.durable), LogOperations(reader.payload))
    }
    return LogOutline(
      checkpoint: record.generation, checkpointCommit: record.log.lsn, isClosed: record.isClosed,
      endFile: StorePaths.segments[reader.end.position.segment], endOffset: reader.end.position.offset,
      isOvertaken: try files.newestRecord().generation != record.generation)
  }
}
