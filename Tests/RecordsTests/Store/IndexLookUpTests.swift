import TestSupport
import Testing

@testable import Records

/// Rows are found by the values that they have, one at a time and many at once.
@Suite struct IndexLookUpTests {
  private let office: Office

  init() throws {
    office = try Office()
  }

  @Sendable private func insertTask(_ transaction: RecordTransaction, id: Int64, note: String?) throws -> RowNumber {
    try transaction.insert("Task") { builder, task in
      builder.setInt64(try #require(task.attribute(named: "id")).field, id)
      builder.setBool(try #require(task.attribute(named: "done")).field, false)
      if let note { builder.setString(try #require(task.attribute(named: "note")).field, note) }
    }
  }

  @Test func manyKeysAreLookedUpInOneWalk() throws {
    var random = SplitMix64(seed: 1)
    let ids = (0..<500).map { _ in Int64(random.below(400)) }
    let rows = try office.write { transaction in
      try ids.map { try insertTask(transaction, id: $0, note: nil) }
    }
    let wanted = (0..<600).map { _ in Int64(random.below(500)) - 50 }
    var keys = IndexKeys()
    for id in wanted { keys.append { $0.append(id) } }
    var found = [[RowNumber]](repeating: [], count: wanted.count)
    try office.read { snapshot in
      try snapshot.lookUp(keys, in: snapshot.index("Task", ["id"])) { found[$0].append($1) }
    }
    for (position, id) in wanted.enumerated() {
      #expect(found[position] == zip(ids, rows).filter { $0.0 == id }.map(\.1))
    }
  }

  @Test func keysOfAnyLengthAreFoundInBothKindsOfIndex() throws {
    let stem = String(repeating: "n", count: 480)
    let texts = (0..<60).map { stem + String(repeating: "o", count: $0) } + ["", "short", stem + stem]
    try office.write { transaction in
      for text in texts + texts {
        _ = try insertTask(transaction, id: 1, note: text)
      }
      for text in texts { _ = try transaction.insertPerson(text) }
    }
    try office.read { snapshot in
      let notes = try snapshot.index("Task", ["note"])
      let names = try snapshot.index("Person", ["id"])
      var keys = IndexKeys()
      for text in texts.reversed() { keys.append { $0.append(text) } }
      var noteRows = [[UInt64]](repeating: [], count: texts.count)
      try snapshot.lookUp(keys, in: notes) { noteRows[texts.count - 1 - $0].append($1.rawValue) }
      var nameRows = [[UInt64]](repeating: [], count: texts.count)
      try snapshot.lookUp(keys, in: names) { nameRows[texts.count - 1 - $0].append($1.rawValue) }
      for (position, text) in texts.enumerated() {
        let first = UInt64(position + 1)
        let expected = [first, first + UInt64(texts.count)]
        #expect(noteRows[position].sorted() == expected)
        #expect(nameRows[position] == [first])
        #expect(try snapshot.rows(where: notes, equals: [.string(text)]).map(\.rawValue) == expected)
        #expect(try snapshot.firstRow(where: names, equals: [.string(text)])?.rawValue == first)
      }
    }
  }

  @Test func leadingValuesFindEveryContinuation() throws {
    try office.write { transaction in
      for (id, age, nick) in [("a", 1, "x"), ("b", 1, "y"), ("c", 2, "z"), ("d", 1, nil)] as [(String, Int64, String?)]
      {
        _ = try transaction.insert("Person") { builder, person in
          builder.setString(try #require(person.attribute(named: "id")).field, id)
          builder.setInt64(try #require(person.attribute(named: "age")).field, age)
          if let nick { builder.setString(try #require(person.attribute(named: "nick")).field, nick) }
        }
      }
    }
    try office.read { snapshot in
      let index = try snapshot.index("Person", ["age", "nick"])
      #expect(try snapshot.rows(where: index, equals: [.int(1)]).map(\.rawValue) == [1, 2, 4])
      #expect(try snapshot.rows(where: index, equals: [.int(1), .string("y")]).map(\.rawValue) == [2])
      #expect(try snapshot.rows(where: index, equals: [.int(1), .null]).map(\.rawValue) == [4])
      #expect(try snapshot.rows(where: index, equals: [.string("1")]).isEmpty)
    }
  }

  @Test func transactionsFindWhatTheyWrote() throws {
    try office.write { transaction in
      let index = try transaction.index("Person", ["id"])
      let row = try transaction.insertPerson("a")
      #expect(try transaction.firstRow(where: index, equals: [.string("a")]) == row)
      _ = try transaction.edit("Person", row) { builder, _ in builder.setString(0, "b") }
      #expect(try transaction.firstRow(where: index, equals: [.string("a")]) == nil)
      #expect(try transaction.firstRow(where: index, equals: [.string("b")]) == row)
      _ = try transaction.delete(row, of: transaction.entity("Person"))
      #expect(try transaction.firstRow(where: index, equals: [.string("b")]) == nil)
    }
  }
}
