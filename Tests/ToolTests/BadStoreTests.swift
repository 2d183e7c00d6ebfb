import Foundation
import KeyValueStore
import Records
import TestSupport
import Testing

/// What cannot be read, and the one sentence that says so.
@Suite struct BadStoreTests {
  static let commands = [["info"], ["dump"], ["export"], ["get", "Task", "1"], ["find", "Task"], ["history"]]

  /// Makes something that is no readable store at a path, which the message's `PATH` stands for.
  struct Case: CustomTestStringConvertible {
    var name: String
    var message: String
    var make: @Sendable (_ path: String) throws -> Void

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "nothing", message: "There is no store at 'PATH'.") { _ in },
    Case(name: "an empty folder", message: "There is no store at 'PATH'.") { try makeFolder($0) },
    Case(name: "a file", message: "'PATH' is not a folder, and a store is one.") { try write("hello", to: $0) },
    Case(
      name: "a folder of something else", message: "'PATH' is not a store: it has 'notes.txt' in it, and no checkpoint."
    ) {
      try makeFolder($0)
      try write("hello", to: $0 + "/notes.txt")
    },
    Case(name: "a SQLite database", message: "'PATH' is not a store: it is a SQLite database.") {
      try write("SQLite format 3\0 and so on", to: $0)
    },
    Case(name: "a folder without data", message: "The store 'PATH' is damaged: its data.mdb is missing.") {
      try TrackerStore.make(at: $0)
      try FileManager.default.removeItem(atPath: $0 + "/data.mdb")
    },
    Case(name: "a folder without a log", message: "The store 'PATH' is damaged: its wal.1 is missing.") {
      try TrackerStore.make(at: $0)
      try FileManager.default.removeItem(atPath: $0 + "/wal.1")
    },
    Case(
      name: "data of LMDB alone", message: "'PATH' is not a store: its data.mdb has no checkpoint beside it."
    ) {
      try TrackerStore.make(at: $0)
      for name in ["checkpoint", "wal.0", "wal.1"] { try FileManager.default.removeItem(atPath: $0 + "/" + name) }
    },
    Case(
      name: "a key-value store of another program",
      message: "The store at PATH holds no records: another program made it."
    ) { path in
      let environment = try Environment(at: path)
      defer { environment.close() }
      let table = try environment.table("notes")
      try environment.write { try $0.put([1], for: [1], in: table) }
    },
    Case(
      name: "a store whose creation was interrupted",
      message: "The store at PATH has no schema yet: its creation goes on, or was interrupted."
    ) { path in
      let environment = try Environment(at: path)
      defer { environment.close() }
      _ = try environment.table("meta")
    },
    Case(name: "a pipe", message: "'PATH' is not a folder, and a store is one.") {
      try makePipe($0)
    },
    Case(name: "a pipe as data file", message: "Reading 'PATH/data.mdb' failed: Illegal seek (errno 29).") {
      try TrackerStore.make(at: $0)
      try FileManager.default.removeItem(atPath: $0 + "/data.mdb")
      try makePipe($0 + "/data.mdb")
    },
    Case(
      name: "a newer record format",
      message: "The store at PATH has record format 8; this version reads up to format 4."
    ) { path in
      try TrackerStore.make(at: path)
      try setMeta([0, 0, 0, 8], for: "format", at: path)
    },
    Case(name: "a newer store format", message: "The store 'PATH' has format 2; this version reads formats up to 1.") {
      try TrackerStore.make(at: $0)
      try patch($0, after: Array("SwKVStor".utf8), with: [2])
    },
    Case(name: "a changed schema", message: "The stored schema is damaged: Its checksum is wrong.") {
      try TrackerStore.make(at: $0)
      try patch($0, after: Array(#""name":"Pro"#.utf8), with: Array("f".utf8))
    },
  ]

  @Test(arguments: cases, commands) func messages(_ test: Case, _ command: [String]) throws {
    let folder = try TemporaryFolder()
    try test.make(folder["store"])
    let message = test.message.replacing("PATH", with: folder["store"])
    #expect(try ToolRun(command[..<1] + [folder["store"]] + command[1...]) == .failure(1, message))
  }

  @Test func readingCreatesNothing() throws {
    let folder = try TemporaryFolder()
    try Self.makeFolder(folder["empty"])
    for name in ["missing", "empty"] { _ = try ToolRun("info", folder[name]) }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == ["empty"])
  }

  @Test func unknownEntityNamesTheKnown() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    #expect(
      try ToolRun("dump", folder["store"], "--entity", "task")
        == .failure(1, "There is no entity 'task'; there are Project, User, Task, Note, Label."))
    try RecordStore(at: folder["bare"], schema: StoreSchema(entities: [])).close()
    #expect(
      try ToolRun("dump", folder["bare"], "--entity", "Task")
        == .failure(1, "There is no entity 'Task'; the store has none at all."))
  }

  @Test func messagesStayOneLine() throws {
    let run = try ToolRun("info", "/no/such\nplace\u{2028}here")
    #expect(run == .failure(1, "There is no store at '/no/such place here'."))
  }

  private static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  private static func makePipe(_ path: String) throws {
    try #require(mkfifo(path, 0o600) == 0)
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private static func setMeta(_ value: [UInt8], for key: String, at path: String) throws {
    let environment = try Environment(at: path)
    defer { environment.close() }
    let meta = try environment.table("meta")
    try environment.write { try $0.put(value, for: Array(key.utf8), in: meta) }
  }

  /// Overwrites the bytes behind every occurrence of a mark in the data file.
  private static func patch(_ path: String, after mark: [UInt8], with bytes: [UInt8]) throws {
    let file = URL(filePath: path + "/data.mdb")
    var data = try Data(contentsOf: file)
    var start = data.startIndex
    var count = 0
    while let range = data[start...].firstRange(of: mark) {
      data.replaceSubrange(range.upperBound..<(range.upperBound + bytes.count), with: bytes)
      start = range.upperBound
      count += 1
    }
    try #require(count > 0)
    try data.write(to: file)
  }
}
