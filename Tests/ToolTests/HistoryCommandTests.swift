import Foundation
import Records
import TestSupport
import Testing

/// What has happened to a store, what happens to it, and who looks.
@Suite struct HistoryCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    defer { store.close() }
    let row = try store.write { try $0.insert("User", ["id": .int(1), "name": .string("Ada")]) }.result
    _ = try store.write(author: "sync") { transaction in
      for id in 2...12 { try transaction.insert("User", ["id": .int(Int64(id)), "name": .string("U")]) }
      try transaction.insert("Project", ["id": .string("p")])
    }
    _ = try store.write { transaction in
      let users = try #require(transaction.catalog.entity(named: "User"))
      var builder = RecordBuilder(users.layout)
      _ = try transaction.withRecord(row, of: users) { builder.load($0) }
      builder.set(try #require(users.attribute(named: "name")).field, .string("Ada L."))
      _ = try transaction.update(row, of: users, with: &builder)
    }
    _ = try store.write { transaction in
      _ = try transaction.delete(row, of: #require(transaction.catalog.entity(named: "User")))
      try transaction.advanceHistoryConsumer("widget", to: HistoryToken(rawValue: 2))
    }
  }

  private func transactions(_ arguments: String...) throws -> [[String: Any]] {
    let run = try ToolRun(["history", folder["s"], "--format", "ndjson"] + arguments)
    #expect(run.end == .exited(0) && run.messages == "")
    return try run.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func numbers(_ transactions: [[String: Any]]) -> [Int] {
    transactions.compactMap { $0["transaction"] as? Int }
  }

  @Test func transactionsAreChosen() throws {
    #expect(try numbers(transactions()) == [1, 2, 3, 4])
    #expect(try numbers(transactions("--since", "2")) == [3, 4])
    #expect(try numbers(transactions("--since", "4")) == [])
    #expect(try numbers(transactions("--author", "sync")) == [2])
    #expect(try numbers(transactions("--entity", "Project")) == [2])
    #expect(try numbers(transactions("--limit", "2", "--entity", "User")) == [1, 2])
    #expect(try ToolRun("history", folder["s"], "--since", "9").end == .exited(1))
    #expect(try ToolRun("history", folder["s"], "--entity", "Nope").end == .exited(1))
  }

  @Test func changesAreShown() throws {
    let all = try transactions()
    let entities = try #require(all[1]["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Project", "User"])
    #expect((entities[1]["inserted"] as? [Int])?.count == 11)
    #expect(all[1]["author"] as? String == "sync")
    let update = try #require((all[2]["entities"] as? [[String: Any]])?.first?["updated"] as? [[String: Any]])
    #expect(update.first?["properties"] as? [String] == ["name"])
    let deletion = try #require((all[3]["entities"] as? [[String: Any]])?.first?["deleted"] as? [[String: Any]])
    #expect(deletion.first?["$row"] as? Int == 1)
    let text = try ToolRun("history", folder["s"]).output
    #expect(text.contains("\n  User inserted: rows 2, 3, 4, 5, 6, 7, 8, 9 and 3 more\n"))
    #expect(text.contains("\n  User updated: row 1 (name)\n") && text.hasSuffix("\n  User deleted: row 1\n"))
    let array = try ToolRun("history", folder["s"], "--format", "json").output
    #expect((try JSONSerialization.jsonObject(with: Data(array.utf8)) as? [Any])?.count == 4)
    let consumers = try ToolRun("history", folder["s"], "--consumers").output
    #expect(consumers.contains("widget           2       2"))
    #expect(consumers.hasSuffix("The history has transactions from 1 to 4.\n"))
  }

  @Test func commitsAreWatched() throws {
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    defer { store.close() }
    let watch = try ChildProgram(
      ChildProgram.built("swiftsync"),
      ["watch", folder["s"], "--entity", "Project", "--count", "2", "--format", "ndjson"], output: folder["out"],
      messages: folder["messages"])
    // It tells of what comes after it has begun, and nobody knows when that is: so commits come until it has seen enough.
    var count = 0
    while try !watch.hasEnded() {
      count += 1
      _ = try store.write { [count] transaction in
        try transaction.insert("User", ["id": .int(Int64(1000 + count)), "name": .string("W")])
        try transaction.insert("Project", ["id": .string("w\(count)")])
      }
    }
    #expect(try watch.wait() == .exited(0))
    let lines = try ToolRun.text(at: folder["out"]).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(#""entities":[{"name":"Project","inserted":["#) && !$0.contains("User") })
    #expect(try ToolRun.text(at: folder["messages"]).isEmpty)
  }

  @Test func readersAreListed() throws {
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    defer { store.close() }
    let (list, statistics) = try store.read { _ in
      // The snapshot grows older than the newest commit.
      for id in 100..<103 { _ = try insert(id, into: store) }
      return (try ToolRun("readers", folder["s"]), try ToolRun("stat", folder["s"], "--format", "json"))
    }
    let own = list.output.split(separator: "\n").filter { $0.contains("\(ProcessInfo.processInfo.processIdentifier)") }
    #expect(own.contains { $0.hasSuffix(" old") }, "\(list.output)")
    let json = try JSONSerialization.jsonObject(with: Data(statistics.output.utf8)) as? [String: Any]
    let ages = (json?["readers"] as? [[String: Any]])?.compactMap { $0["age"] as? Int } ?? []
    #expect(ages.contains { $0 > 0 })
    #expect(try ToolRun("readers", folder["s"], "--clear").output == "0 places were freed.\n")
  }

  /// A write by another thread than the one that reads.
  private func insert(_ id: Int, into store: RecordStore) throws {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? store.write { try $0.insert("User", ["id": .int(Int64(id)), "name": .string("R")]) }
      done.signal()
    }
    done.wait()
  }
}
