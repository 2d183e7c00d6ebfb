import TestSupport
import Testing

@testable import Records

/// Whose local changes are kept when schema, policy or format change between two openings.
@Suite struct PushRegistryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func with(
    isOffline: Bool = true, history: HistoryPolicy = .standard, _ body: (PushStore) throws -> Void
  ) throws {
    let push = try PushStore(in: folder, history: history, isOffline: isOffline)
    defer { push.store.close() }
    try #require(try push.store.violations() == [])
    try body(push)
  }

  @Test func entityThatBecomesEnabledIsToldWhatTheHistoryHas() throws {
    try with(isOffline: false) { (push: PushStore) throws in
      #expect(try push.store.read { try $0.pushRegistry().isEmpty })
      try push.insert("a", "b", by: PushStore.inbound)
      try push.insert("c")
      try push.setText("a", "x")
      try push.setText("a", "y", by: "widget")
      // It leaves no identity that could be told.
      try push.delete("b")
      #expect(try push.entries().isEmpty)
    }
    try with { (push: PushStore) throws in
      #expect(try push.summary() == ["new c 2-2 ", "a 3-4 text"])
      #expect(try push.base(of: 1) == nil)
    }
    try with { (push: PushStore) throws in #expect(try push.summary() == ["new c 2-2 ", "a 3-4 text"]) }
  }

  @Test func entityThatIsNotEnabledAnyMoreIsForgotten() throws {
    try with { try $0.insert("a") }
    try with(isOffline: false) { (push: PushStore) throws in
      #expect(try push.store.read { try !$0.hasPushEntries() })
      try push.setText("a", "x")
    }
    try with { (push: PushStore) throws in #expect(try push.summary() == ["new a 1-2 text"]) }
  }

  @Test func nothingIsKnownOfTheTimeWithoutHistory() throws {
    try with { (push: PushStore) throws in
      try push.insert("a")
      try push.settle([1])
    }
    try with(history: .off) { (push: PushStore) throws in
      try push.insert("b")
      #expect(try push.entries().isEmpty)
    }
    try with { (push: PushStore) throws in
      #expect(try push.entries().isEmpty)
      try push.setText("b", "x")
      #expect(try push.summary().map { $0.hasPrefix("b ") } == [true])
    }
  }

  @Test("A store with unsent changes is not opened without a history", arguments: [false, true])
  func unsentChangesKeepTheHistory(_ isParked: Bool) throws {
    try with { (push: PushStore) throws in
      try push.insert("a")
      if isParked { try push.settle([1], .refused(reason: "no", code: nil)) }
    }
    #expect(throws: RecordError.unsentChanges(entities: ["Note"])) { try with(history: .off) { _ in } }
    try with { (push: PushStore) throws in
      #expect(try push.summary() == [isParked ? "new parked a 1-1 " : "new a 1-1 "])
      try push.setText("a", "x")
      #expect(try push.summary() == ["new a 1-2 text"])
    }
  }

  @Test("What is not enabled any more does not stand in the way of opening a store without a history")
  func otherChangesDoNotKeepTheHistory() throws {
    try with { try $0.insert("a") }
    try with(isOffline: false, history: .off) { (push: PushStore) throws in
      #expect(try push.store.read { try !$0.hasPushEntries() })
    }
  }

  @Test func storeOfAnEarlierFormatIsToldWhatTheHistoryHas() throws {
    try with { (push: PushStore) throws in
      try push.insert("a")
      try push.setText("a", "x")
      // What a version that knows nothing of it leaves.
      try push.store.environment.write { transaction in
        let meta = try push.store.environment.table(StoreTables.metaName)
        try transaction.removeAll(in: push.store.environment.table(StoreTables.pushName))
        _ = try transaction.delete(MetaKey.push, in: meta)
        try transaction.put([0, 0, 0, 2], for: MetaKey.format, in: meta)
      }
    }
    try with { (push: PushStore) throws in
      #expect(try push.summary() == ["new a 1-2 text"])
      #expect(try push.store.read { try $0.format() } == StoreFormat.version)
    }
  }

  @Test func readersKnowIt() throws {
    try with { try $0.insert("a") }
    let reader = try RecordStore(readingAt: folder["store"])
    defer { reader.close() }
    let entry = try reader.read { try $0.pushEntry(of: RowNumber(rawValue: 1), $0.entity("Note")) }
    #expect(entry?.isInserted == true)
    #expect(try reader.violations() == [])
  }
}
