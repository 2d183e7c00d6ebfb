import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite("Change streams: every commit once, in order", .timeLimit(.minutes(20)))
struct ChangeStreamTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try memoContainer()
    context = ModelContext(container)
  }

  @Test("a commit is told with rows, properties, author, token, time and tombstones")
  func contents() async throws {
    try container.commit(1)
    let stream = container.changes
    let memo = Memo(id: "a", text: "1")
    let folder = Folder(name: "f")
    context.insert(memo)
    context.insert(folder)
    context.author = "pen"
    try context.save()
    memo.text = "2"
    memo.rank = 7
    context.author = nil
    try context.save()
    context.delete(memo)
    try context.save()

    var commits: [CommittedChanges] = []
    for try await element in stream {
      guard case .committed(let changes) = element else { break }
      commits.append(changes)
      if commits.count == 3 { break }
    }
    let history = try context.fetchHistory()
    #expect(commits.map(\.token) == history.dropFirst().map(\.token))
    #expect(commits.map(\.timestamp) == history.dropFirst().map(\.timestamp))
    #expect(commits.map(\.author) == ["pen", nil, nil])
    let memoID = memo.persistentModelID
    #expect(commits[0][Memo.self].inserted == [memoID] && commits[0][Folder.self].inserted.count == 1)
    #expect(commits[0].rows.map(\.modelName) == ["Memo", "Folder"])
    #expect(commits[0].modelTypes.map { "\($0)" } == ["Memo", "Folder"])
    #expect(commits[0][Ticket.self].isEmpty && !commits[0].isEmpty)

    let update = try #require(commits[1][Memo.self].updated.first)
    #expect(update.identifier == memoID && update.properties == [\Memo.rank, \Memo.text])
    #expect(update.changes(\.text) && !update.changes(\.id))
    #expect(commits[1].rows.map(\.modelName) == ["Memo"])
    #expect(commits[1].rows.map { $0.updated.map(\.identifier) } == [[memoID]])
    #expect(commits[1].rows.map { $0.updated.map(\.propertyNames) } == [[["rank", "text"]]])
    #expect(commits[1][Folder.self].isEmpty)

    let deletion = try #require(commits[2][Memo.self].deleted.first)
    #expect(deletion.identifier == memoID && deletion.tombstone.value(of: \.rank) == 7)
    #expect(commits[2].rows.map(\.deleted) == [[memoID]])
  }

  @Test("a sync is told of as one commit, with its author")
  func sync() async throws {
    let container = try SyncContainer(trackerContainer())
    var changes = container.changes.makeAsyncIterator()
    try await container.sync(payload: [["id": 1, "text": "a"], ["id": 2, "text": "b"]], as: LooseNote.self)
    guard case .committed(let commit) = try await changes.next() else {
      Issue.record("no commit")
      return
    }
    #expect(commit[LooseNote.self].inserted.count == 2 && commit.author?.isEmpty == false)
    var again = try container.changes(since: #require(commit.token)).makeAsyncIterator()
    try await container.sync(payload: [["id": 1, "text": "a"], ["id": 2, "text": "c"]], as: LooseNote.self)
    #expect(try await again.next(1) == [.commit(2, updated: [["text"]])])
  }

  @Test("what was saved before the stream was made is not part of it, what comes before its iterator is")
  func beginning() async throws {
    try container.commit(2)
    let stream = container.changes
    try container.commit(1)
    var first = stream.makeAsyncIterator()
    #expect(try await first.next(1) == [.commit(3, inserted: 1)])
    try container.commit(1)
    var second = stream.makeAsyncIterator()
    try container.commit(1)
    #expect(try await second.next(3) == (3...5).map { .commit($0, inserted: 1) })
    #expect(try await first.next(2) == (4...5).map { .commit($0, inserted: 1) })
  }

  @Test(
    "a stream since a token begins in the history and goes on without a gap", arguments: [0, 1, 255, 256, 257, 600])
  func since(count: Int) async throws {
    try container.commit(1)
    let token = try container.lastHistoryToken()
    try container.commit(count)
    var changes = try container.changes(since: token).makeAsyncIterator()
    let last = Int64(count + 1)
    if count > 0 { #expect(try await changes.numbers(upTo: last) == Array(2...last)) }
    try container.commit(2)
    #expect(try await changes.numbers(upTo: last + 2) == [last + 1, last + 2])
  }

  @Test("a reader that is slower than any buffer misses nothing")
  func slowReader() async throws {
    var changes = container.changes.makeAsyncIterator()
    try container.commit(1)
    #expect(try await changes.next(1) == [.commit(1, inserted: 1)])
    try container.commit(700)
    #expect(try await changes.next(1) == [.commit(2, inserted: 1)])
    try container.commit(300)
    #expect(try await changes.numbers(upTo: 1001) == Array(3...1001))
    for name in ["large", "small"] {
      for _ in 0..<(name == "large" ? 70_000 : 1) { context.insert(Folder(name: name)) }
      try context.save()
    }
    #expect(try await changes.next(2) == [.commit(1002, inserted: 70_000), .commit(1003, inserted: 1)])
  }

  @Test("an iteration waits for what comes, and ends when its task is cancelled", arguments: [true, false])
  func cancellation(afterCommit: Bool) async throws {
    let container = container
    let seen = Task {
      var count = 0
      for try await _ in container.changes { count += 1 }
      return count
    }
    if afterCommit {
      var other = container.changes.makeAsyncIterator()
      try container.commit(1)
      _ = try await other.next()
    }
    seen.cancel()
    #expect(try await seen.value <= 1)
  }

  @Test("closing the store ends every iteration, and streams that are made later")
  func closing() async throws {
    let container = container
    let stream = container.changes
    let waiting = (0..<3).map { _ in Task { for try await _ in stream {} } }
    var iterator = stream.makeAsyncIterator()
    var unread = container.changes.makeAsyncIterator()
    try container.commit(1)
    #expect(try await iterator.next(1).count == 1)
    container.close()
    for task in waiting { try await task.value }
    #expect(try await iterator.next() == nil)
    // What was committed before is still told.
    #expect(try await unread.next(9) == [.commit(1, inserted: 1)])
    for try await _ in container.changes { Issue.record("a commit of a closed store") }
    #expect(throws: StoreError.self) { try container.changes(since: context.container.lastHistoryToken()) }
  }

  @Test("streams and iterators keep the store open, and go with it")
  func lifetimes() async throws {
    weak var store: ModelContext?
    var iterator: ChangeStream.Iterator?
    do {
      let container = try memoContainer()
      let context = ModelContext(container)
      store = context
      iterator = container.changes.makeAsyncIterator()
      try container.commit(1)
    }
    #expect(store == nil)
    #expect(try await iterator?.next(1) == [.commit(1, inserted: 1)])

    weak var core: AnyObject?
    do {
      let folder = try TemporaryFolder()
      let container = try ModelContainer(
        for: Folder.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: folder["s"])))
      core = container
      let tasks = (0..<4).map { _ in Task { [changes = container.changes] in for try await _ in changes {} } }
      try container.commit(1)
      for task in tasks { task.cancel() }
      for task in tasks { try await task.value }
    }
    #expect(core == nil)
  }
}
