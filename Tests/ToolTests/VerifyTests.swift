import Foundation
import KeyValueStore
import Records
import TestSupport
import Testing

@testable import StoreTool

/// Whether a store is sound: what the tool says, and that it can be believed.
@Suite struct VerifyTests {
  private let folder: TemporaryFolder
  private var path: String { folder["store"] }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func edit(_ path: String, _ body: (inout [UInt8]) throws -> Void) throws {
    var data = try [UInt8](Data(contentsOf: URL(filePath: path)))
    try body(&data)
    try Data(data).write(to: URL(filePath: path))
  }

  @Test func soundStore() throws {
    try TrackerStore.make(at: path)
    let run = try ToolRun("verify", path)
    #expect(run.end == .exited(0) && run.messages == "")
    #expect(run.output.hasPrefix("Store    \(path)\nPages    "))
    #expect(run.output.contains("\nRows     "))
    #expect(run.output.hasSuffix("\n\nThe store is sound.\n"))
    #expect(!run.output.contains("Note"))
  }

  @Test func damagedRecordIsFoundBehindSoundPages() throws {
    try TrackerStore.make(at: path)
    try edit(path + "/data.mdb") { data in
      for place in data.indices where data[place...].starts(with: "Žofie".utf8) { data[place + 2] ^= 1 }
    }
    let run = try ToolRun("verify", path)
    #expect(run.end == .exited(1))
    #expect(run.messages == "swiftsync: The store '\(path)' has a problem.\n")
    #expect(run.output.hasSuffix("\nProblem: The record of User row 3 is damaged.\n"))
  }

  @Test func damagedPagesKeepTheRecordsFromBeingRead() throws {
    try LargeStore.make(at: path)
    try edit(path + "/data.mdb") { data in
      for page in 2..<(data.count / 4096) { data[page * 4096] ^= 0x80 }
    }
    let run = try ToolRun("verify", path)
    #expect(run.end == .exited(1))
    #expect(run.output.contains("Note: The records were not checked, because what they are kept in is damaged.\n"))
    #expect(run.output.contains(#/\nProblem: Page \d+ of .* says that it is page \d+\.\n/#))
    #expect(run.messages.contains(#/^swiftsync: The store '.*' has (a problem|\d+ problems)\.\n$/#))
  }

  @Test func openStoreIsCheckedInOneSnapshot() throws {
    try TrackerStore.make(at: path)
    let store = try RecordStore(at: path, schema: .tracker)
    defer { store.close() }
    try store.write { _ = try $0.insert("Project", ["id": .string("new")]) }
    let run = try ToolRun("verify", path)
    #expect(run.end == .exited(0) && run.messages == "")
    #expect(run.output.contains("\nNote: The store is open; one snapshot of it was checked.\n"))
    #expect(run.output.contains("\nRows     "))
  }

  @Test func unclosedStoreIsNotRecovered() throws {
    try TrackerStore.make(at: path)
    let store = try RecordStore(at: path, schema: .tracker)
    defer { store.close() }
    try store.write { _ = try $0.insert("Project", ["id": .string("new")]) }
    // What the end of the process would leave, without LMDB's lock file, which this process must not open.
    try FileManager.default.createDirectory(atPath: folder["copy"], withIntermediateDirectories: true)
    let names = ["data.mdb", "checkpoint", "wal.0", "wal.1", "store.lock"]
    let contents = try names.map { try Data(contentsOf: URL(filePath: path + "/" + $0)) }
    for (name, content) in zip(names, contents) { try content.write(to: URL(filePath: folder["copy"] + "/" + name)) }
    let run = try ToolRun("verify", folder["copy"])
    #expect(run.end == .exited(0) && run.messages == "")
    #expect(run.output.contains("Note: The store was not closed: the next opening will apply 1 commit from its log.\n"))
    #expect(
      run.output.contains("Note: The records were not checked, because to open the store would be to recover it.\n"))
    #expect(try names.map { try Data(contentsOf: URL(filePath: folder["copy"] + "/" + $0)) } == contents)
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder["copy"])) == Set(names))
  }

  @Test func storeOfAnotherProgramHasNoRecords() throws {
    let environment = try Environment(at: path)
    let table = try environment.table("notes")
    try environment.write { try $0.put([1], for: [1], in: table) }
    environment.close()
    let run = try ToolRun("verify", path)
    #expect(run.end == .exited(0) && run.messages == "")
    #expect(run.output.contains("Note: The store at \(path) holds no records: another program made it.\n"))
  }

  @Test func whatIsNoStoreIsRefused() throws {
    #expect(try ToolRun("verify", path) == .failure(1, "There is no store at '\(path)'."))
    try Data("hello".utf8).write(to: URL(filePath: path))
    #expect(try ToolRun("verify", path) == .failure(1, "'\(path)' is not a folder, and a store is one."))
    #expect(try ToolRun("verify").end == .exited(64))
  }

  /// Pages that changed places were what only a check of the pages could find.
  @Test(arguments: 1...2 as ClosedRange<UInt64>) func soundMeansReadable(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try LargeStore.make(at: path)
    let file = path + "/data.mdb"
    let sound = try [UInt8](Data(contentsOf: URL(filePath: file)))
    let expected = try ToolRun("export", path).output
    func page(_ number: Int) -> Range<Int> { (number * 4096)..<((number + 1) * 4096) }
    var found = 0
    for number in 0..<40 {
      var data = sound
      let (first, second) = (2 + random.below(data.count / 4096 - 2), 2 + random.below(data.count / 4096 - 2))
      switch number % 4 {
      case 0: data.replaceSubrange(page(first), with: sound[page(second)])
      case 1:
        data.replaceSubrange(page(first), with: sound[page(second)])
        data.replaceSubrange(page(second), with: sound[page(first)])
      case 2: data[random.below(data.count)] ^= 1 << UInt8(random.below(8))
      default: data.replaceSubrange(page(first), with: random.bytes(4096))
      }
      try Data(data).write(to: URL(filePath: file))
      let run = try ToolRun("verify", path)
      if run.end == .exited(0) {
        #expect(
          try ToolRun("export", path) == ToolRun(end: .exited(0), output: expected, messages: ""), "number \(number)")
      } else {
        found += 1
        #expect(run.end == .exited(1) && run.output.contains("\nProblem: "), "number \(number): \(run.messages)")
      }
    }
    #expect(found > 10)
  }

  /// The check reads the files beside LMDB, so nothing is known that ends it; but it would not end the tool.
  @Test func deathOfTheCheckIsReported() {
    let words = LastWords()
    #expect(words.activity == nil)
    Supervisor.noteActivity("nothing, because this is no child")
    #expect(words.activity == nil)
    let killed = Supervisor.sentence(stores: "'a'", signal: SIGBUS, words)
    #expect(killed == "The store 'a' is damaged: reading it ended with SIGBUS.")
    let text = "\u{1}checking the pages\nmdb.c:1: assertion\n"
    _ = text.withCString { pwrite(words.descriptor, $0, text.utf8.count, 0) }
    #expect(
      Supervisor.sentence(stores: "'a'", signal: SIGABRT, words)
        == "The store 'a' is damaged: checking the pages ended with SIGABRT (mdb.c:1: assertion).")
  }
}
