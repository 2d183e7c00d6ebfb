import Foundation
import Records
import TestSupport
import Testing

/// Stores that are made of snapshots.
@Suite struct ImportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func export(_ name: String) throws -> String {
    let run = try ToolRun("export", folder[name])
    try #require(run.end == .exited(0), "\(run)")
    try Data(run.output.utf8).write(to: URL(filePath: folder["\(name).json"]))
    return run.output
  }

  private func importing(_ text: String) throws -> ToolRun {
    try Data(text.utf8).write(to: URL(filePath: folder["given.json"]))
    return try ToolRun("import", folder["given.json"], folder["made"])
  }

  @Test func aSnapshotOfWhatWasImportedIsTheSame() throws {
    try TrackerStore.make(at: folder["s"])
    let before = try export("s")
    let run = try ToolRun("import", folder["s.json"], folder["made"])
    #expect(run == ToolRun(end: .exited(0), output: "\(folder["made"]): 12 rows.\n", messages: ""))
    #expect(try export("made") == before)
    #expect(try ToolRun("verify", folder["made"]).end == .exited(0))
    #expect(try ToolRun("diff", folder["s"], folder["made"]).end == .exited(0))
    let again = try ToolRun("import", folder["s.json"], folder["made"])
    #expect(again == .failure(1, "The store '\(folder["made"])' can't be put there: Directory not empty."))
  }

  @Test(arguments: 1...6) func randomStoresSurvive(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    let plan = (0..<40).map { _ in (random.next(), random.next(), random.next()) }
    _ = try store.write { transaction in
      var random = SplitMix64(seed: seed)
      let projects = try (0..<5).map {
        try transaction.insert(
          "Project", ["id": .string("p\($0)"), "title": random.below(2) == 0 ? .null : .string("é\u{0}\n")])
      }
      let users = try (0..<6).map {
        try transaction.insert("User", ["id": .int(Int64($0) - 3), "name": .string("U\($0)")])
      }
      var tasks: [RowNumber] = []
      for (number, bits) in plan.enumerated() {
        var links = ["project": projects[random.below(projects.count)]]
        if let parent = tasks.randomElement(using: &random) { links["parent"] = parent }
        let task = try transaction.insert(
          "Task",
          [
            "id": .uuid(UUID(uuid: random.bytes(16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })),
            "title": .string("t\(number)"), "isDone": .bool(bits.0 & 1 == 0),
            "priority": .int(Int64(Int8(truncatingIfNeeded: bits.0))), "views": .uint(bits.1),
            "ratio": .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits.2))),
            "estimate": .double(Double(bitPattern: bits.1)),
            "cost": .decimal(Decimal(sign: .minus, exponent: -random.below(20), significand: Decimal(bits.1))),
            "due": .date(
              Date(timeIntervalSinceReferenceDate: Double(Int64(bitPattern: bits.2) % 60_000_000_000) / 977)),
            "link": .url("x:\(number)"), "thumbnail": .data(Data(random.bytes(random.below(9000)))),
            "settings": .composite(Data("[\(number), {\"b\": null, \"a\": 1.50}]".utf8)),
          ], links)
        try transaction.setMembers("reviewers", of: "Task", task, to: users.shuffled(using: &random).dropLast(3))
        try transaction.setMembers("watchers", of: "Task", task, to: users.shuffled(using: &random).dropLast(2))
        tasks.append(task)
      }
      for user in users {
        let reviewed = try transaction.members(
          of: #require(transaction.catalog.entity(named: "User")?.relationship(named: "reviews")), owner: user)
        try transaction.setMembers("reviews", of: "User", user, to: reviewed.shuffled(using: &random))
      }
    }
    store.close()
    let before = try export("s")
    #expect(try ToolRun("import", folder["s.json"], folder["made"]).end == .exited(0))
    #expect(try export("made") == before)
    #expect(try ToolRun("verify", folder["made"]).end == .exited(0))
  }

  @Test func whatCantBeImportedIsSaidWithItsPlace() throws {
    try TrackerStore.make(at: folder["s"])
    let whole = try export("s")
    let head = whole.prefix(upTo: try #require(whole.firstRange(of: ",\n\"entities\"")).lowerBound)
    let cases: [(String, String)] = [
      ("", "empty"), ("[]", "It is no snapshot"), (#"{"format":"swiftsync-snapshot"}"#, "It is no snapshot"),
      (whole.replacing("\"version\":1", with: "\"version\":9"), "version 9"),
      (whole.replacing("\"type\":\"uint64\"", with: "\"type\":\"uint65\""), "uint65 at /schema/"),
      (whole.replacing("\"isDone\":true", with: "\"isDone\":\"perhaps\""), "perhaps at /entities/3/rows/0/isDone"),
      (whole.replacing("\"isDone\":true", with: "\"isDone\":null"), "isDone"),
      (whole.replacing("\"name\":\"Ada\"", with: "\"nom\":\"Ada\""), "nom is no property of User"),
      (
        whole.replacing("\"watchers\":[-3]", with: "\"watchers\":[-4]"),
        "-4 at /entities/3/rows/1/watchers/0 leads to a row of User"
      ),
      (whole.replacing("\"id\":7,", with: "\"id\":12,"), "same id"),
      (try ToolRun("export", folder["s"], "--entity", "User").output, "a part of a store"),
      (String(whole.dropLast(30)), "malformed JSON"),
      // Each of these was taken for an empty array, and what it holds was lost in silence.
      (
        whole.replacing("\"watchers\":[-3]", with: "\"watchers\":-3"),
        "-3 at /entities/3/rows/1/watchers is to be an array"
      ),
      (head + #","entities":{"name":"User"}}"#, "/entities is to be an array"),
      (head + #","entities":[{"name":"User"}]}"#, "There is no array at /entities/0/rows"),
      (head + #","entities":[{"name":"User","rows":{"id":1}}]}"#, "/entities/0/rows is to be an array"),
      (head + #","entities":[{"name":"User","rows":["x"]}]}"#, "x at /entities/0/rows/0 is to be an object"),
      (#"{"format":"swiftsync-snapshot","version":1,"schema":{},"entities":[]}"#, "/schema is to be an array"),
    ]
    for (text, message) in cases {
      let run = try importing(text)
      #expect(run.end == .exited(1) && run.output.isEmpty && run.messages.contains(message), "\(message): \(run)")
      #expect(!FileManager.default.fileExists(atPath: folder["made"]))
    }
    #expect(try ToolRun("import", folder["missing"], folder["made"]).end == .exited(1))
  }
}
