import Foundation
import Records
import Synchronization
import TestSupport
import Testing

/// The tool beside an application that writes to the store.
@Suite struct LiveStoreTests {
  /// Every transaction gives all users one name and adds one project, so that an output which mixes two states shows it.
  @Test func outputIsOneMoment() throws {
    let folder = try TemporaryFolder()
    try LargeStore.make(at: folder["store"])
    let store = try RecordStore(at: folder["store"], schema: .tracker)
    defer { store.close() }
    try rename(in: store, turn: 0)

    let isDone = Atomic(false)
    let turns = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    let writer = Thread {
      do {
        while !isDone.load(ordering: .relaxed) {
          try rename(in: store, turn: turns.wrappingAdd(1, ordering: .relaxed).newValue)
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    writer.start()
    var seen: Set<String> = []
    for number in 0..<20 {
      let line = [["export", folder["store"]], ["dump", folder["store"], "--format", "ndjson"]][number % 2]
      let run = try ToolRun(line)
      #expect(run.end == .exited(0))
      #expect(run.messages == "")
      let names = Set(run.output.matches(of: /"name":"(Turn \d+)"/).map { String($0.1) })
      #expect(names.count == 1)
      let turn = try #require(names.first.flatMap { Int($0.dropFirst("Turn ".count)) })
      #expect(run.output.matches(of: /"id":"turn \d+"/).count == turn + 1)
      seen.formUnion(names)
      #expect(try ToolRun("info", folder["store"]).end == .exited(0))
    }
    isDone.store(true, ordering: .relaxed)
    while !writer.isFinished { sched_yield() }
    #expect(failure.withLock { $0 } == nil)
    // The writer went on while the tool was reading.
    #expect(seen.count > 1)
  }
}

private func rename(in store: RecordStore, turn: Int) throws {
  _ = try store.write { transaction in
    let user = try #require(transaction.catalog.entity(named: "User"))
    let name = try #require(user.attribute(named: "name"))
    var rows: [RowNumber] = []
    try transaction.forEachRecord(of: user) { row, _ in
      rows.append(row)
      return .continue
    }
    for row in rows {
      var builder = RecordBuilder(user.layout)
      _ = try transaction.withRecord(row, of: user) { builder.load($0) }
      builder.setString(name.field, "Turn \(turn)")
      _ = try transaction.update(row, of: user, with: &builder)
    }
    try transaction.insert("Project", ["id": .string("turn \(turn)")])
  }
}
