import Foundation
import KeyValueStore
import Records
import SyncEngine

/// What `swiftsync stat` says of a store: what its pages are used for, how much is in its log, and who has it open.
///
/// Pages are counted by reading them all, so it takes as long as a check of them does.
struct StoreStatistics {
  let info: StoreInfo
  let pages: VerificationReport
  /// When the newest checkpoint was made, by the clock of the file system.
  let checkpoint: Date?
  /// Others that have places for snapshots.
  let readers: [ReaderPlace]
  let lastTransaction: Int

  init(of path: String) throws {
    Supervisor.noteActivity("counting its pages")
    pages = try PageCheck.report(on: path)
    guard pages.isSound else {
      throw UnsoundStore(path: path, problemCount: pages.problems.count + pages.problemsBeyond)
    }
    Supervisor.noteActivity("reading it")
    let store = try RecordStore(readingAt: path)
    defer { store.close() }
    info = try store.read { try StoreInfo(store: store, snapshot: $0) }
    readers = try store.environment.readers().filter { $0.process != ProcessInfo.processInfo.processIdentifier }
    lastTransaction = try store.environment.statistics().lastTransaction
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(store.environment.directory)/checkpoint")
    checkpoint = attributes?[.modificationDate] as? Date
  }

  private var oldestSnapshot: ReaderPlace? {
    readers.filter { $0.transaction != nil }.min { ($0.transaction ?? 0) < ($1.transaction ?? 0) }
  }

  private var openSnapshotCount: Int { readers.count { $0.transaction != nil } }

  func writeText(to output: StandardOutput) throws {
    var table = TextTable()
    let counts = pages.pages
    func bytes(_ pageCount: UInt64) -> String { ByteCount.text(Int(pageCount) * pages.pageBytes) }
    table.add(["Store", info.path])
    table.add(["Files", ByteCount.text(info.files.map(\.byteCount).reduce(0, +))])
    table.add(["Trees", "\(counts.inTrees) pages, \(bytes(counts.inTrees))"])
    table.add(["Large values", "\(counts.overflow) pages, \(bytes(counts.overflow))"])
    table.add(["Free", "\(counts.free) pages, \(bytes(counts.free))"])
    table.add(["  until a checkpoint", "\(counts.pinned) pages, kept for the newest one"])
    table.add(["Log", "\(pages.commitsInLog) commits, \(ByteCount.text(pages.logBytes)) since the checkpoint"])
    if let checkpoint { table.add(["Checkpoint", DateFormat.text(of: checkpoint.timeIntervalSinceReferenceDate)]) }
    table.add(["Readers", "\(readers.count) processes or threads, \(openSnapshotCount) with a snapshot open"])
    if let oldest = oldestSnapshot, let transaction = oldest.transaction {
      let age = lastTransaction - transaction
      table.add(["  oldest snapshot", "of process \(oldest.process), \(age) transactions old"])
    }
    for line in table.lines + [""] + info.tableLines { try output.writeLine(line) }
  }

  func writeJSON(to output: StandardOutput) throws {
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("path", info.path)
    json.writeMember("fileBytes", info.files.map(\.byteCount).reduce(0, +))
    json.writeMember("pageBytes", pages.pageBytes)
    json.writeKey("pages")
    json.beginObject()
    json.writeMember("trees", pages.pages.inTrees)
    json.writeMember("largeValues", pages.pages.overflow)
    json.writeMember("free", pages.pages.free)
    json.writeMember("pinned", pages.pages.pinned)
    json.endObject()
    json.writeKey("log")
    json.beginObject()
    json.writeMember("commits", pages.commitsInLog)
    json.writeMember("bytes", pages.logBytes)
    json.endObject()
    json.writeMember("checkpoint", checkpoint.map { DateFormat.text(of: $0.timeIntervalSinceReferenceDate) })
    json.writeKey("readers")
    json.beginArray()
    for reader in readers {
      json.beginObject()
      json.writeMember("process", reader.process)
      if let transaction = reader.transaction { json.writeMember("age", lastTransaction - transaction) }
      json.endObject()
    }
    json.endArray()
    json.startLine()
    json.writeKey("entities")
    json.beginArray()
    for entity in info.entities { info.write(entity, &json) }
    json.endArray()
    json.endObject()
    json.endLine()
    try json.drain { try output.write($0) }
  }
}
