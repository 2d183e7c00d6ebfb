import TestSupport
import Testing

@testable import Records

/// What keeping local changes costs, in bytes of the log: nothing to those who have none.
@Suite struct PushCostTests {
  /// The log bytes of a step, in a store whose notes are pushed or not.
  private func bytes(
    isOffline: Bool, of step: (PushStore) throws -> Void, after preparation: (PushStore) throws -> Void = { _ in }
  ) throws -> Int {
    let folder = try TemporaryFolder()
    let push = try PushStore(in: folder, isOffline: isOffline)
    try push.insert("a", "b", by: PushStore.inbound)
    try preparation(push)
    let before = push.store.environment.metrics.logBytes
    try step(push)
    return push.store.environment.metrics.logBytes - before
  }

  private static let edit: @Sendable (PushStore) throws -> Void = { try $0.setText("a", "second") }
  private static let pull: @Sendable (PushStore) throws -> Void = {
    try $0.setText("a", "second", by: PushStore.inbound)
  }

  @Test("What a server sends costs what it costs without, also while others are dirty")
  func inboundChanges() throws {
    let without = try bytes(isOffline: false, of: Self.pull)
    #expect(try bytes(isOffline: true, of: Self.pull) == without)
    #expect(try bytes(isOffline: true, of: Self.pull) { try $0.setText("b", "x") } == without)
  }

  @Test("Only the first edit of a row writes what it was before")
  func laterEdits() throws {
    let without = try bytes(isOffline: false, of: Self.edit)
    let first = try bytes(isOffline: true, of: Self.edit)
    let later = try bytes(isOffline: true, of: Self.edit) { try $0.setText("a", String(repeating: "long", count: 100)) }
    let laterWithout = try bytes(isOffline: false, of: Self.edit) {
      try $0.setText("a", String(repeating: "long", count: 100))
    }
    // Frames are multiples of 8 bytes; what is kept of an edit is an entry of some thirty, with its key.
    #expect(first > without && later > laterWithout)
    #expect(later - laterWithout <= 64)
  }
}
