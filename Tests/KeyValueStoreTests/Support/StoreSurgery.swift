import TestSupport

@testable import KeyValueStore

/// Changes a closed store behind its back, so that it is consistent again and says something else.
enum StoreSurgery {
  /// Edits LMDB's tables, and makes the result the store's newest checkpoint: otherwise the next opening would roll the
  /// edit back.
  static func edit(_ path: String, _ body: (RawStore) throws -> Void) throws {
    try RawStore.edit(path, body)
    let files = try storeFiles(path)
    var record = try files.newestRecord()
    record.generation += 1
    record.snapshot = try files.data.newestMetaPage().transaction
    record.meta = try files.data.meta(of: record.snapshot).bytes
    try files.ring.write(record)
  }

  /// Replaces the newest checkpoint record by a changed one.
  static func changeRecord(_ path: String, _ change: (inout CheckpointRecord) -> Void) throws {
    let files = try storeFiles(path)
    var record = try files.newestRecord()
    change(&record)
    record.generation += 1
    try files.ring.write(record)
  }

  /// Adds a frame to the log of a store that was not closed; in the other segment, as while a checkpoint is being made.
  static func appendToLog(
    _ path: String, inOtherSegment: Bool = false, _ operations: (FrameCollector) -> Void
  ) throws {
    let files = try storeFiles(path)
    var reader = LogReader(files.segments, from: try files.newestRecord().log, path: path)
    while try reader.next() != nil {}
    let log = WriteAheadLog(store: try files.newestRecord().store, segments: files.segments, end: reader.end)
    if inOtherSegment { try log.switchSegment() }
    let frames = FrameCollector()
    frames.beginFrame()
    operations(frames)
    _ = frames.endFrame()
    try log.append(frames)
  }

  static func storeFiles(_ path: String) throws -> StoreFiles {
    let files = SystemFiles()
    return try StoreFiles(
      StorePaths(directory: path), files, folder: try files.open(path, for: .reading), for: .writing)
  }

  /// Overwrites bytes of one of the store's files.
  static func change(_ path: String, at offset: Int, _ edit: (inout [UInt8]) -> Void) throws {
    let files = SystemFiles()
    let file = try files.open(path, for: .writing)
    var bytes = try files.bytes(of: file, at: offset, 8)
    edit(&bytes)
    try files.write(bytes, to: file, at: offset)
  }

  /// Copies the files of a folder, as a backup program does that knows nothing of stores.
  static func copy(_ folder: String, to copy: String, without missing: Set<String> = []) throws {
    let files = SystemFiles()
    try files.makeFolder(copy)
    for name in try files.names(in: folder) where !missing.contains(name) {
      try TemporaryFolder.write(try TemporaryFolder.read(folder + "/" + name), to: copy + "/" + name)
    }
  }
}
