import Foundation
import Records
import TestSupport
import Testing

/// Damaged stores of which a sound one is made.
@Suite struct RepairTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func repair(_ name: String) throws -> ToolRun {
    try? FileManager.default.removeItem(atPath: folder["new"])
    return try ToolRun("repair", folder[name], folder["new"])
  }

  @Test func aSoundStoreIsCopiedWhole() throws {
    try TrackerStore.make(at: folder["s"])
    let run = try repair("s")
    #expect(run.end == .exited(0) && run.messages == "", "\(run)")
    #expect(
      run.output
        == "Project: 1 of 1 rows\nUser: 3 of 3 rows\nTask: 2 of 2 rows\nNote: 2 of 2 rows\nLabel: 4 of 4 rows\n")
    #expect(try ToolRun("diff", folder["s"], folder["new"]) == ToolRun(end: .exited(0), output: "", messages: ""))
    #expect(try ToolRun("verify", folder["new"]).end == .exited(0))
    // Nothing but the new store is left.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["new", "s"])
    #expect(try ToolRun("repair", folder["s"], folder["new"]).end == .exited(1))
  }

  @Test func commitsInTheLogAreSaved() throws {
    try TrackerStore.make(at: folder["s"])
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    #expect(try ToolRun("repair", folder["s"], folder["new"]).messages.contains("open"))
    for id in 0..<5 { _ = try store.write { try $0.insert("Project", ["id": .string("late \(id)")]) } }
    _ = try store.write { transaction in
      let users = try #require(transaction.catalog.entity(named: "User"))
      _ = try transaction.delete(transaction.row("User", .int(12)), of: users)
    }
    try FileManager.default.createDirectory(atPath: folder["cut"], withIntermediateDirectories: true)
    for file in ["data.mdb", "checkpoint", "wal.0", "wal.1"] {
      try FileManager.default.copyItem(atPath: folder["s/\(file)"], toPath: folder["cut/\(file)"])
    }
    store.close()
    #expect(try repair("cut").end == .exited(0))
    #expect(try ToolRun("diff", folder["s"], folder["new"]).end == .exited(0))
  }

  @Test(arguments: 1...12) func whatIsSavedIsWhatWasThere(seed: UInt64) throws {
    try LargeStore.make(at: folder["s"])
    var random = SplitMix64(seed: seed)
    let path = folder["s/data.mdb"]
    var bytes = try Data(contentsOf: URL(filePath: path))
    let pageCount = bytes.count / 4096
    let original = try ToolRun("export", folder["s"], "--format", "ndjson").output
    for _ in 0...random.below(3) {
      // Not the first two, without which nobody knows where anything is.
      let page = 2 + random.below(pageCount - 2)
      switch random.below(4) {
      case 0: bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
      case 1: bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(random.bytes(4096)))
      case 2: bytes[page * 4096 + random.below(4096)] ^= UInt8(1 << random.below(8))
      default:
        let other = 2 + random.below(pageCount - 2)
        bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: bytes[other * 4096..<(other + 1) * 4096])
      }
    }
    try bytes.write(to: URL(filePath: path))
    let run = try repair("s")
    guard FileManager.default.fileExists(atPath: folder["new"]) else {
      // The pages that say what the rows are have been hit.
      #expect(run.end == .exited(1) && run.messages.contains("not enough can be read"), "\(run)")
      return
    }
    #expect(try ToolRun("verify", folder["new"]).end == .exited(0), "\(run)")
    // Every row that is there has the attributes that it had: a name or title that nobody wrote would show.
    let known = Set(original.split(separator: "\n").map { attributes($0) })
    let saved = try ToolRun("export", folder["new"], "--format", "ndjson").output.split(separator: "\n")
    #expect(saved.allSatisfy { known.contains(attributes($0)) })
    if run.end == .exited(0) { #expect(saved.count == known.count) }
  }

  /// A row without its links, of which some may be lost.
  private func attributes(_ line: Substring) -> String {
    guard var row = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { return "" }
    for name in ["tasks", "reviews", "project", "reviewers", "watchers", "parent", "labels", "task", "replyTo", "$row"]
    {
      row[name] = nil
    }
    let data = try? JSONSerialization.data(withJSONObject: row, options: .sortedKeys)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  @Test func whatIsNoStoreIsLeftAlone() throws {
    try FileManager.default.createDirectory(atPath: folder["empty"], withIntermediateDirectories: true)
    try Data("SQLite format 3\u{0} and so on".utf8).write(to: URL(filePath: folder["empty/data.mdb"]))
    for name in ["missing", "empty"] {
      let run = try repair(name)
      #expect(
        run.end == .exited(1) && !run.messages.isEmpty && run.messages.split(separator: "\n").count == 1, "\(run)")
      #expect(!FileManager.default.fileExists(atPath: folder["new"]))
    }
  }
}
