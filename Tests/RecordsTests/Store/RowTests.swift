import FoundationEssentials
import Testing

@testable import Records

/// Rows are written, read, changed and removed.
@Suite struct RowTests {
  @Test func insertedRowsAreReadBackInOrder() throws {
    let store = try Office()
    let rows = try store.write { transaction in
      try ["a", "b", "c"].map { try transaction.insertPerson($0) }
    }
    #expect(rows.map(\.rawValue) == [1, 2, 3])
    try store.read { snapshot in
      let person = try snapshot.entity("Person")
      #expect(try snapshot.count(of: person) == 3)
      #expect(try snapshot.contains(rows[1], of: person))
      #expect(try snapshot.withRecord(rows[1], of: person) { $0.string(0) } == "b")
      #expect(try snapshot.record(rows[2], of: person)?.withView { $0.string(0) } == "c")
      var seen: [String] = []
      try snapshot.forEachRecord(of: person, from: rows[1]) { _, record in
        seen.append(record.string(0))
        return .continue
      }
      #expect(seen == ["b", "c"])
      seen = []
      try snapshot.forEachRecord(of: person) { _, record in
        seen.append(record.string(0))
        return .stop
      }
      #expect(seen == ["a"])
      #expect(try snapshot.record(RowNumber(rawValue: 9), of: person) == nil)
    }
  }

  @Test func updateNamesWhatChanged() throws {
    let store = try Office()
    let row = try store.write { try $0.insertPerson("a") }
    let changed = try store.write { transaction in
      try transaction.edit("Person", row) { builder, person in
        builder.setInt64(try #require(person.attribute(named: "age")).field, 40)
      }
    }
    #expect(changed.map(\.members) == [2])
    let again = try store.write { transaction in
      try transaction.edit("Person", row) { builder, person in
        builder.setInt64(try #require(person.attribute(named: "age")).field, 40)
      }
    }
    #expect(again == nil)
  }

  @Test func rowNumbersAreNotUsedAgain() throws {
    let store = try Office()
    let first = try store.write { try $0.insertPerson("a") }
    try store.write { _ = try $0.delete(first, of: $0.entity("Person")) }
    let second = try store.write { try $0.insertPerson("a") }
    #expect(second > first)
  }
}
