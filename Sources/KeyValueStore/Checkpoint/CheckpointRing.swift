/// The file `checkpoint`: the newest records, each in a slot of its own, so that writing one leaves the others alone.
struct CheckpointRing: Sendable {
  /// Two could both be lost: one to a sync that failed, the other to its repetition.
  static let slotCount = 4

  private let file: OpenFile
  private let files: any FileSystem

  init(_ file: OpenFile, _ files: any FileSystem) {
    self.file = file
    self.files = files
  }

  /// Opens the ring of a store.
  init(_ paths: StorePaths, _ files: any FileSystem, for use: FileUse) throws(FileError) {
    self.init(try files.open(paths[StorePaths.checkpoint], for: use), files)
  }

  /// The record of each slot; nil for a slot without a valid one.
  func records() throws(FileError) -> [CheckpointRecord?] {
    var records: [CheckpointRecord?] = []
    for slot in 0..<Self.slotCount {
      let offset = slot * CheckpointRecord.slotByteCount
      let record = CheckpointRecord(try files.bytes(of: file, at: offset, CheckpointRecord.slotByteCount))
      records.append(record.flatMap { Self.slot(of: $0) == slot ? $0 : nil })
    }
    return records
  }

  /// The valid record with the highest generation.
  func newest() throws(FileError) -> CheckpointRecord? {
    try records().compactMap { $0 }.max { $0.generation < $1.generation }
  }

  /// Writes a record into its slot, and returns when it is on the medium.
  func write(_ record: CheckpointRecord) throws(FileError) {
    try files.write(record.bytes, to: file, at: Self.slot(of: record) * CheckpointRecord.slotByteCount)
    try sync()
  }

  /// Writes a record, and the same as the next generation into the slot behind it, and returns that when both are on the
  /// medium.
  ///
  /// Should one of them become unreadable later, the other leads to the same snapshot. The records before them don't: with
  /// them, their pins go, and their pages are used again.
  func writeTwice(_ record: CheckpointRecord) throws(FileError) -> CheckpointRecord {
    var twin = record
    twin.generation += 1
    // One after the other, so that two that are torn together don't leave fewer of the ones before.
    try write(record)
    try write(twin)
    return twin
  }

  /// Returns when what the file contains is on the medium.
  func sync() throws(FileError) {
    try files.syncData(file)
  }

  private static func slot(of record: CheckpointRecord) -> Int {
    Int(record.generation % UInt64(slotCount))
  }
}
