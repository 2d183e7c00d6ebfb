import Foundation
import KeyValueStore
import Records
import TestSupport
import Testing

/// A damaged store gives the right answer or an error: never a wrong answer, and never the end of the tool.
@Suite struct DamageTests {
  enum Damage: CaseIterable {
    case bit, byte, run, page, truncation

    func apply(to data: inout [UInt8], random: inout SplitMix64) {
      let offset = Int.random(in: 0..<data.count, using: &random)
      switch self {
      case .bit: data[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case .byte: data[offset] = .random(in: .min ... .max, using: &random)
      case .run:
        for index in offset..<min(offset + 64, data.count) { data[index] = .random(in: .min ... .max, using: &random) }
      case .page:
        let start = offset / 4096 * 4096
        for index in start..<min(start + 4096, data.count) { data[index] = 0 }
      case .truncation: data.removeLast(data.count - offset)
      }
    }
  }

  static let runsOfEachKind = 40

  @Test(arguments: Damage.allCases) func noWrongAnswers(_ damage: Damage) throws {
    let folder = try TemporaryFolder()
    try LargeStore.make(at: folder["store"])
    let file = URL(filePath: folder["store/data.mdb"])
    let sound = try [UInt8](Data(contentsOf: file))
    let lines = [["export", folder["store"]], ["dump", folder["store"], "--format", "ndjson"]]
    let expected = try lines.map { try ToolRun($0).output }
    #expect(expected.allSatisfy { $0.count > 10_000 })

    var random = SplitMix64(seed: UInt64(Damage.allCases.firstIndex(of: damage) ?? 0))
    var failureCount = 0
    for number in 0..<Self.runsOfEachKind {
      var data = sound
      damage.apply(to: &data, random: &random)
      try Data(data).write(to: file)
      let run = try ToolRun(lines[number % 2])
      let place = Comment(rawValue: "\(damage) number \(number)")
      if run.end == .exited(0) {
        #expect(run.messages == "", place)
        #expect(run.output == expected[number % 2], place)
      } else {
        failureCount += 1
        #expect(run.end == .exited(1), place)
        #expect(run.messages.hasPrefix("swiftsync: ") && run.messages.hasSuffix(".\n"), place)
        #expect(run.messages.split(separator: "\n").count == 1, place)
      }
    }
    // Most of the file is in use, so that a tool that notices nothing would be noticed.
    #expect(failureCount > 0)
  }

  /// Two labels have one identity. When the index forgets one of them, the other one's identity looks like its own.
  @Test func forgottenIndexEntryIsNoticed() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let store = try RecordStore(at: folder["store"], schema: .tracker)
    defer { store.close() }
    let index = try #require(store.catalog.entity(named: "Label")?.identityIndex)
    let table = try store.environment.table("x.\(index.id.rawValue)")
    try store.environment.write { transaction in
      let bug = try transaction.withCursor(in: table) { cursor in
        // The last entry is "idea".
        try #require(try cursor.last() && cursor.previous())
        return try [UInt8](cursor.key)
      }
      _ = try transaction.delete(bug, in: table)
    }
    let message = "The store is damaged: 4 rows of Label should be in the index of its identity, but 3 are."
    for line in [["dump", folder["store"]], ["dump", folder["store"], "--entity", "Task"]] {
      let run = try ToolRun(line)
      #expect(run.end == .exited(1))
      #expect(run.messages == "swiftsync: \(message)\n")
    }
    let run = try ToolRun("export", folder["store"])
    #expect(run.end == .exited(1))
    #expect(run.messages == "swiftsync: The store is damaged: it says that it has 4 rows of Label, but 3 were found.\n")
  }

  @Test func damagedRecordIsNamed() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["store"])
    let file = URL(filePath: folder["store/data.mdb"])
    var data = try Data(contentsOf: file)
    let name = try #require(data.firstRange(of: Data("Žofie".utf8)))
    data[name.lowerBound + 2] ^= 1
    try data.write(to: file)

    let message = "The record of User row 3 is damaged."
    #expect(try ToolRun("export", folder["store"]).messages == "swiftsync: \(message)\n")
    let dump = try ToolRun("dump", folder["store"], "--entity", "User")
    #expect(dump.end == .exited(1))
    #expect(dump.messages == "swiftsync: \(message)\n")
    #expect(dump.output.contains("Ada") && !dump.output.contains("row 3"))
  }
}
