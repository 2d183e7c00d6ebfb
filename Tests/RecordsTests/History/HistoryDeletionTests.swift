import TestSupport
import Testing

@testable import Records

/// What is deleted is gone, no token is given twice, and whoever would miss something is told.
@Suite struct HistoryDeletionTests {
  @Test func tokensGoOnAfterEverythingWasDeleted() throws {
    let folder = try TemporaryFolder()
    do {
      let history = try HistoryStore(in: folder)
      try history.commit(3)
      #expect(try history.delete() == 3)
      #expect(try history.tokens() == [])
      #expect(try history.last() == 3)
      #expect(try history.delete() == 0)
      #expect(try history.isSound())
    }
    let history = try HistoryStore(in: folder)
    #expect(try history.insert("x").token?.rawValue == 4)
    #expect(try history.tokens(after: 3) == [4])
    #expect(try history.isSound())
  }

  @Test func deletionByAuthorKeepsTokensGood() throws {
    let history = try HistoryStore()
    try history.insert("a", author: "server")
    try history.insert("b")
    try history.insert("c", author: "server")
    try history.insert("d", author: "server")
    #expect(try history.delete(expiring: false) { $0.author == "server" } == 3)
    #expect(try history.tokens(after: 0) == [2])
    #expect(try history.tokens(after: 1) == [2])
    #expect(try history.tokens(after: 4) == [])
    #expect(try history.insert("e").token?.rawValue == 5)
    #expect(try history.tokens(after: 3) == [5])
    #expect(try history.isSound())
  }

  @Test func onlyADeletedBeginningExpires() throws {
    let history = try HistoryStore()
    try history.commit(6)
    try history.delete { [1, 2, 4].contains($0.token.rawValue) }
    #expect(try history.oldest() == 2)
    #expect(try history.tokens() == [3, 5, 6])
    try history.delete(after: 4)
    #expect(try history.oldest() == 2)
    #expect(try history.tokens() == [3])
    #expect(try history.isSound())
  }

  @Test func aStoreThatKeepsNoHistoryForgetsWhatItHas() throws {
    let folder = try TemporaryFolder()
    // By a sync, because what others change has to be pushed, and keeps the history.
    do { try HistoryStore(in: folder).commit(3, author: InboundAuthor.name) }
    do {
      let history = try HistoryStore(.off, in: folder)
      #expect(try history.insert("a").token == nil)
      #expect(try history.tokens() == [])
      #expect(throws: RecordError.historyNotKept) { try history.tokens(after: 3) }
      #expect(try history.delete() == 0)
      #expect(try history.isSound())
    }
    do {
      // Nothing is committed, and still what happened before is not known.
      let history = try HistoryStore(in: folder)
      #expect(throws: RecordError.historyExpired(token: 3, oldest: 4)) { try history.tokens(after: 3) }
      #expect(try history.tokens(after: 4) == [])
      #expect(try history.isSound())
    }
    do { try HistoryStore(.off, in: folder).insert("b") }
    let history = try HistoryStore(in: folder)
    #expect(throws: RecordError.historyExpired(token: 4, oldest: 5)) { try history.tokens(after: 4) }
    #expect(try history.insert("c").token?.rawValue == 6)
    #expect(try history.isSound())
  }
}
