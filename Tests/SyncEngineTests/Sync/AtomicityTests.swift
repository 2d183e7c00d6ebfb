import Records
import Synchronization
import Testing

@testable import SyncEngine

@Suite("7.4, 7.5, B-13: A sync that throws leaves the store as it was, wherever it stops")
struct AtomicityTests {
  private func makeStore() throws -> TestStore {
    let store = try TestStore(
      EntityDescription(
        name: "User", attributes: [.required("id", .int64), .required("name", .string), .optional("email", .string)],
        identity: "id", uniquenessConstraints: [["id"], ["email"]]),
      .entity("Item", [.required("title", .string)], [.toOne("owner", "User"), .toMany("watchers", "User")]))
    try store.sync(#"[{"id":1,"name":"a","email":"a@x"},{"id":2,"name":"b"}]"#, as: "User")
    try store.sync(#"[{"id":1,"title":"t","owner_id":1,"watcher_ids":[1,2]},{"id":2,"title":"u"}]"#, as: "Item")
    return store
  }

  private func content(_ store: TestStore) throws -> [[String]] {
    [try store.rows("User"), try store.rows("Item")]
  }

  @Test(arguments: [
    // A bad row at the end, after others were written.
    #"[{"id":1,"title":"T","watchers":[{"id":9,"name":"n"}]},{"id":3,"title":"x"},{"id":4}]"#,
    #"[{"id":1,"title":"T"},{"id":2,"title":{}}]"#,
    // A bad nested object.
    #"[{"id":1,"title":"T","owner":{"id":9}}]"#,
    #"[{"id":1,"title":"T","watchers":[{"id":1,"name":"A"},{"name":"x"}]}]"#,
    // Another row has the address already.
    #"[{"id":1,"title":"T","owner":{"id":9,"name":"n","email":"a@x"}}]"#,
    // The wrong shape, and no identity at all.
    #"[{"id":1,"title":"T"},7]"#, #"[{"key":1,"title":"T"}]"#,
  ])
  func failuresChangeNothing(_ payload: String) throws {
    let store = try makeStore()
    let before = try content(store)
    #expect(throws: (any Error).self) { try store.sync(payload, as: "Item") }
    #expect(try content(store) == before)
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    // And the store works on.
    try store.sync(#"{"id":2,"title":"U"}"#, as: "Item")
    #expect(try store.rows("Item").last == "2: title=U")
  }

  @Test func aUniqueConflictNamesBothRows() throws {
    let store = try makeStore()
    #expect {
      try store.sync(#"{"id":2,"email":"a@x"}"#, as: "User")
    } throws: { error in
      guard case RecordError.uniqueConflict(let entity, let attributes, _, let row, let other)? = error as? RecordError
      else { return false }
      return entity == "User" && attributes == ["email"] && row != other
    }
  }

  @Test func rowsMayPassAUniqueValueOn() throws {
    let store = try makeStore()
    try store.sync(#"[{"id":1,"email":"b@x"},{"id":2,"email":"a@x"}]"#, as: "User")
    #expect(try store.rows("User") == ["1: name=a email=b@x", "2: name=b email=a@x"])
  }

  @Test func cancellationAtAnyPointChangesNothing() throws {
    let payload = """
      [{"id":1,"title":"T","owner":{"id":9,"name":"n"},"watcher_ids":[2]},{"id":3,"title":"x","watchers":[{"id":8,"name":"m"}]},
       {"id":4,"title":"y"}]
      """
    let request = SyncRequest(entity: "Item", document: try PayloadDocument(json: Array(payload.utf8)))
    let questions = Atomic(0)
    let complete = try makeStore()
    try complete.sync(request) { questions.add(1, ordering: .relaxed).newValue < 0 }
    let total = questions.load(ordering: .relaxed)
    #expect(total > 10, "asked between rows in every phase")
    for stop in 1...total {
      let store = try makeStore()
      let before = try content(store)
      let asked = Atomic(0)
      #expect(throws: SyncError.cancelled) {
        try store.sync(request) { asked.add(1, ordering: .relaxed).newValue == stop }
      }
      #expect(try content(store) == before, "stopped at question \(stop)")
    }
  }
}
