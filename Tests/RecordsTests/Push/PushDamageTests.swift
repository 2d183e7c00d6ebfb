import FoundationEssentials
import KeyValueStore
import Testing

@testable import Records

/// What is kept of dirty rows and is not what was written is found, by readers and by the check of the whole store.
@Suite struct PushDamageTests {
  private let push: PushStore
  private let table: Table

  init() throws {
    push = try PushStore()
    table = try push.store.environment.table(StoreTables.pushName)
    try push.write(by: PushStore.inbound) { _ = try $0.insertNote("a", text: "first") }
    try push.setText("a", "second")
    try push.settle([1], .refused(reason: "no", code: "c"))
  }

  private func tamper(_ body: @Sendable (WriteTransaction, Table) throws -> Void) throws {
    try push.store.environment.write { [table] in try body($0, table) }
  }

  private func parts() throws -> [(key: [UInt8], value: [UInt8])] {
    var parts: [(key: [UInt8], value: [UInt8])] = []
    try push.store.environment.read { snapshot in
      try snapshot.scan(table) { key, value in
        parts.append(([UInt8](key), [UInt8](value)))
        return .continue
      }
    }
    return parts
  }

  private static func readAll(_ snapshot: RecordSnapshot, _ note: Entity) throws {
    for entry in try snapshot.pushEntries(of: note) {
      _ = try snapshot.pushBase(of: entry.row, note)
      _ = try snapshot.pushRefusal(of: entry.row, note)
    }
  }

  @Test(arguments: 0..<3) func flippedBitIsFound(part: Int) throws {
    let (key, value) = try parts()[part]
    for bit in 0..<value.count * 8 {
      var damaged = value
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try tamper { [damaged] in try $0.put(damaged, for: key, in: $1) }
      let note = try push.note
      #expect(throws: RecordError.damagedEntry(table: "push")) {
        try push.store.read { try Self.readAll($0, note) }
      }
      #expect(try push.store.violations().contains(.damagedEntry(table: "push")))
    }
  }

  @Test(arguments: 0..<3) func missingPartIsFound(part: Int) throws {
    let key = try parts()[part].key
    try tamper { _ = try $0.delete(key, in: $1) }
    let wrong = InvariantViolation.wrongPushEntry(entity: "Note", row: RowNumber(rawValue: 1))
    #expect(try Set(push.store.violations().map(\.description)) == [wrong.description])
  }

  @Test(
    arguments: [
      [0], [0, 0, 0, 1, 9, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ] as [[UInt8]])
  func keyThatIsNoneIsFound(key: [UInt8]) throws {
    try tamper { try $0.put([], for: key, in: $1) }
    #expect(try push.store.violations() == [.damagedEntry(table: "push")])
  }

  @Test func entryOfARowThatIsGoneIsFound() throws {
    let note = try push.note
    try push.store.write { transaction in
      try transaction.put(
        PushEntry(RowNumber(rawValue: 7), .update, in: HistoryToken(rawValue: 1), at: .distantPast), of: note)
    }
    #expect(try push.store.violations() == [.wrongPushEntry(entity: "Note", row: RowNumber(rawValue: 7))])
  }
}
