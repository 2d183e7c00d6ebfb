import Foundation
import SwiftSync
import Testing

@Suite("Change streams: what could not be told is said", .timeLimit(.minutes(20)))
struct MissedChangesTests {
  private func delete(in container: ModelContainer, where predicate: Predicate<DefaultHistoryTransaction>) throws {
    try ModelContext(container).deleteHistory(HistoryDescriptor(predicate: predicate))
  }

  @Test("a token that has expired begins with a resynchronisation, and the stream goes on behind it")
  func expired() async throws {
    let container = try memoContainer()
    try container.commit(1)
    let token = try container.lastHistoryToken()
    try container.commit(3)
    let last = try container.lastHistoryToken()
    try delete(in: container, where: #Predicate { $0.token < last })
    var changes = try container.changes(since: token).makeAsyncIterator()
    try container.commit(1)
    #expect(try await changes.next(1) == [.resynchronize(.historyExpired, 5)])
    try container.commit(1)
    #expect(try await changes.next(1) == [.commit(6, inserted: 1)])
  }

  @Test("a reader whose history goes while it is slow is told so")
  func trimmedBehind() async throws {
    let container = try memoContainer(history: HistoryPolicy(transactionsMax: 64))
    var changes = container.changes.makeAsyncIterator()
    try container.commit(2000)
    guard case .resynchronize(.historyExpired, 2000) = try await changes.next(1).first else {
      Issue.record("nothing was said")
      return
    }
    try container.commit(1)
    #expect(try await changes.next(1) == [.commit(2001, inserted: 1)])
  }

  @Test("transactions that somebody has deleted by their author are a gap", arguments: [false, true])
  func deleted(isLast: Bool) async throws {
    let container = try memoContainer()
    try container.commit(1)
    let token = try container.lastHistoryToken()
    try container.commit(2)
    try container.commit(2, author: "server")
    if !isLast { try container.commit(1) }
    let server = "server"
    try delete(in: container, where: #Predicate { $0.author == server })
    var changes = try container.changes(since: token).makeAsyncIterator()
    let last: Int64 = isLast ? 5 : 6
    #expect(
      try await changes.next(3) == [
        .commit(2, inserted: 1), .commit(3, inserted: 1), .resynchronize(.historyDeleted, last),
      ])
    try container.commit(1)
    #expect(try await changes.next(1) == [.commit(last + 1, inserted: 1)])
  }

  @Test("without a history a reader that keeps up sees everything, and a slow one is told that it did not")
  func withoutHistory() async throws {
    let container = try memoContainer(history: .off)
    let stream = container.changes
    try container.commit(1)
    var changes = stream.makeAsyncIterator()
    #expect(try await changes.next(1) == [.commit(nil, inserted: 1)])
    try container.commit(200)
    #expect(try await changes.next(200) == Array(repeating: .commit(nil, inserted: 1), count: 200))
    try container.commit(400)
    #expect(try await changes.next(1) == [.resynchronize(.historyNotKept, nil)])
    try container.commit(1)
    #expect(try await changes.next(1) == [.commit(nil, inserted: 1)])
    // A later reader cannot know what came before it.
    var later = stream.makeAsyncIterator()
    #expect(try await later.next(1) == [.resynchronize(.historyNotKept, nil)])
    try container.commit(1)
    #expect(try await later.next(1) == [.commit(nil, inserted: 1)])
    var since = try container.changes(since: container.lastHistoryToken()).makeAsyncIterator()
    #expect(try await since.next(1) == [.resynchronize(.historyNotKept, nil)])
  }

  @Test("tokens of another store, and of a later state of this one, are refused")
  func foreign() throws {
    let container = try memoContainer()
    let other = try memoContainer()
    try container.commit(1)
    try other.commit(1)
    let token = try other.lastHistoryToken()
    #expect(throws: HistoryError.foreignToken(token)) { try container.changes(since: token) }
    let last = try container.lastHistoryToken()
    let store = try #require(last.tokenValue?.keys.first)
    let later = try JSONDecoder().decode(
      DefaultHistoryToken.self, from: Data(#"{"store": "\#(store)", "token": 7}"#.utf8))
    #expect(throws: HistoryError.unknownToken(later, last: last)) { try container.changes(since: later) }
  }
}
