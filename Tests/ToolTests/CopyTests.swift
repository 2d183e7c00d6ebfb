import Foundation
import Records
import TestSupport
import Testing

/// Copies of stores, and what recovery has to do with one.
@Suite struct CopyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["s"])
  }

  @Test(arguments: ["backup", "compact"]) func copiesAreStores(command: String) throws {
    let before = try ToolRun("export", folder["s"])
    // An application may have it open, with a write that is not committed.
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    defer { store.close() }
    let run = try store.write { transaction in
      try transaction.insert("Project", ["id": .string("unseen")])
      return try ToolRun(command, folder["s"], folder["copy"])
    }.result
    #expect(run.end == .exited(0) && run.messages == "")
    #expect(run.output.hasPrefix("\(folder["copy"]): "))
    #expect(try ToolRun("verify", folder["copy"]).end == .exited(0))
    #expect(try ToolRun("export", folder["copy"]) == before)
    let again = try ToolRun(command, folder["s"], folder["copy"])
    #expect(again == .failure(1, "'\(folder["copy"])' is not empty, and a backup needs a folder of its own."))
    #expect(try ToolRun(command, folder["s"], folder["s"] + "/inside").end == .exited(1))
    #expect(try ToolRun("verify", folder["s"]).end == .exited(0))
  }

  @Test func compactCopiesAreSmall() throws {
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    _ = try store.write { transaction in
      for id in 0..<5000 { try transaction.insert("Project", ["id": .string("p\(id)"), "title": .string("title")]) }
    }
    _ = try store.write { transaction in
      let projects = try #require(transaction.catalog.entity(named: "Project"))
      for id in 0..<5000 { _ = try transaction.delete(transaction.row("Project", .string("p\(id)")), of: projects) }
    }
    store.close()
    func byteCount(_ name: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder["\(name)/data.mdb"])
      return try #require(attributes[.size] as? Int)
    }
    #expect(try ToolRun("backup", folder["s"], folder["whole"]).end == .exited(0))
    #expect(try ToolRun("compact", folder["s"], folder["small"]).end == .exited(0))
    #expect(try byteCount("small") * 2 < byteCount("whole"))
    #expect(try ToolRun("export", folder["small"]) == ToolRun("export", folder["s"]))
  }

  /// The files of a store as a power cut would leave them: it is open, and has commits that are only in its log.
  private func abandon(as name: String, commits: Int) throws {
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    defer { store.close() }
    for id in 0..<commits { _ = try store.write { try $0.insert("Project", ["id": .string("late \(id)")]) } }
    try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: true)
    for file in ["data.mdb", "checkpoint", "wal.0", "wal.1"] {
      try FileManager.default.copyItem(atPath: folder["s/\(file)"], toPath: folder["\(name)/\(file)"])
    }
  }

  @Test func recoveryIsToldAndDone() throws {
    try abandon(as: "cut", commits: 3)
    let told = "The store was not closed: the next opening will apply 3 commits from its log.\n"
    #expect(try ToolRun("recover", folder["cut"], "--dry-run").output == told)
    #expect(try ToolRun("recover", folder["cut"], "--dry-run").output == told)
    #expect(try ToolRun("recover", folder["cut"]).output == told + "It is recovered and closed.\n")
    #expect(try ToolRun("recover", folder["cut"]).output == "There is nothing to recover.\n")
    #expect(try ToolRun("find", folder["cut"], "Project", "id BEGINSWITH 'late'", "--count").output == "3\n")
    let store = try RecordStore(at: folder["cut"], schema: .tracker)
    defer { store.close() }
    #expect(try ToolRun("recover", folder["cut"]).output == "The store is open; one snapshot of it was checked.\n")
  }

  @Test func logsAreShownAndNotChanged() throws {
    try abandon(as: "cut", commits: 4)
    let whole = try ToolRun("log", folder["cut"], "--format", "ndjson").output.split(separator: "\n")
    #expect(whole.count == 4)
    let numbers = try whole.map { line in
      let commit = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let changes = try #require(commit["changes"] as? [[String: Any]])
      // A row, its entry in the index of identities, and the history.
      let tables = Set(changes.compactMap { $0["table"] as? String })
      #expect(tables.isSuperset(of: ["history", "meta"]) && tables.contains { $0.hasPrefix("r.") })
      #expect(changes.allSatisfy { $0["kind"] as? String == "put" })
      return try #require(commit["commit"] as? Int)
    }
    #expect(numbers == Array(numbers[0]..<(numbers[0] + 4)))
    let text = try ToolRun("log", folder["cut"], "--limit", "1").output.split(separator: "\n")
    #expect(text.first?.hasPrefix("Commit \(numbers[0])  wal.") == true)
    #expect(text.last?.hasPrefix("4 commits behind checkpoint ") == true)
    let json = try JSONSerialization.jsonObject(
      with: Data(ToolRun("log", folder["cut"], "--format", "json").output.utf8))
    #expect((json as? [String: Any])?["count"] as? Int == 4)
    // It is still to be recovered, and then there is nothing.
    #expect(try ToolRun("recover", folder["cut"]).end == .exited(0))
    #expect(try ToolRun("log", folder["cut"], "--format", "ndjson").output == "")
    #expect(try ToolRun("log", folder["cut"]).output.contains("with which the store was closed"))
  }

  @Test func damagedLogsAreToldFromCutOnes() throws {
    try abandon(as: "cut", commits: 4)
    let last = try ToolRun("log", folder["cut"], "--format", "ndjson").output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let file = try #require(last[0]["file"] as? String)
    let offsets = last.compactMap { $0["offset"] as? Int }
    let original = try Data(contentsOf: URL(filePath: folder["cut/\(file)"]))
    func runWithFlippedByte(at offset: Int) throws -> ToolRun {
      var bytes = original
      bytes[offset] ^= 1
      try bytes.write(to: URL(filePath: folder["cut/\(file)"]))
      return try ToolRun("log", folder["cut"], "--format", "ndjson")
    }
    // The last one may have been cut by the power; the first one was on the medium.
    let cut = try runWithFlippedByte(at: offsets[3] + 60)
    #expect(cut.end == .exited(0) && cut.output.split(separator: "\n").count == 3)
    let damaged = try runWithFlippedByte(at: offsets[0] + 60)
    #expect(damaged.end == .exited(1) && damaged.messages.contains("can't be read"))
  }
}
