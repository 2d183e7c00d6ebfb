import Foundation
import Glibc
import SwiftSync
import TestSupport
import Testing

/// A container that reads here, and writers in processes of their own: the bodies of `processExitsWith`.
@Suite("Following another process", .timeLimit(.minutes(20)))
struct SecondProcessTests {
  private let folder: TemporaryFolder
  private let url: URL
  private let reader: ModelContainer

  init() throws {
    folder = try TemporaryFolder()
    url = URL(fileURLWithPath: folder["store"])
    let writer = try Self.writing(url)
    try writer.commit(1)
    writer.close()
    reader = try ModelContainer(
      for: Memo.self, Folder.self, configurations: ModelConfiguration(url: url, allowsSave: false))
  }

  private static func writing(_ url: URL) throws -> ModelContainer {
    try ModelContainer(for: Memo.self, Folder.self, configurations: ModelConfiguration(url: url))
  }

  @Test("every commit of writers that come and go is told once, in order")
  func commits() async throws {
    let (reader, url) = (reader, url)
    let early = Task { [changes = reader.changes] in
      var iterator = changes.makeAsyncIterator()
      return try await iterator.numbers(upTo: 401)
    }
    for _ in 0..<2 {
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let writer = try Self.writing(url)
        for count in [1, 150, 1, 1, 47] { try writer.commit(count) }
      }
    }
    #expect(try await early.value == Array(2...401))
    let token = try #require(try ModelContext(reader).fetchHistory().first?.token)
    var late = try reader.changes(since: token).makeAsyncIterator()
    #expect(try await late.numbers(upTo: 401) == Array(2...401))
  }

  @Test("the main context's objects follow, without a call")
  @MainActor func objects() async throws {
    let url = url
    let shown = try #require(try reader.mainContext.fetch(FetchDescriptor<Folder>()).first)
    var changes = reader.changes.makeAsyncIterator()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let context = ModelContext(try Self.writing(url))
      for folder in try context.fetch(FetchDescriptor<Folder>()) { folder.name = "from elsewhere" }
      try context.save()
    }
    #expect(try await changes.next(1) == [.commit(2, updated: [["name"]])])
    // The job that brings the context up to date stands in the main actor's queue already.
    await Task.yield()
    #expect(shown.name == "from elsewhere")
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let context = ModelContext(try Self.writing(url))
      for folder in try context.fetch(FetchDescriptor<Folder>()) { context.delete(folder) }
      try context.save()
    }
    #expect(try await changes.next(1) == [.commit(3, deleted: 1)])
    await Task.yield()
    #expect(shown.isDeleted)
  }

  /// The writer dies with commits that are acknowledged and not published yet, and one that is neither. The next writer publishes the
  /// former, and nobody ever sees the latter.
  @Test("a writer that is killed in the middle of a commit loses nothing that it acknowledged")
  func killedWriter() async throws {
    let (reader, url) = (reader, url)
    let seen = Task { [changes = reader.changes] in
      var iterator = changes.makeAsyncIterator()
      return try await iterator.numbers(upTo: 34)
    }
    for _ in 0..<3 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
        let writer = try Self.writing(url)
        try writer.commit(10)
        let context = ModelContext(writer)
        for _ in 0..<2000 { context.insert(Folder(name: "lost")) }
        let watch = NotificationCenter.default.addObserver(forName: ModelContext.willSave, object: context, queue: nil)
        {
          _ in
          let process = getpid()
          OtherThread.start { kill(process, SIGKILL) }
        }
        defer { NotificationCenter.default.removeObserver(watch) }
        try context.save()
        while true { sched_yield() }
      }
    }
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let writer = try Self.writing(url)
      // Whether the last save of each process came through is open; what it did, all or nothing.
      let last = try writer.lastHistoryToken().number ?? 0
      #expect((31...34).contains(last))
      try writer.commit(34 - Int(last))
    }
    let numbers = try await seen.value
    #expect(numbers == Array(2...34))
    let lost = try ModelContext(reader).fetch(FetchDescriptor<Folder>()).filter { $0.name == "lost" }.count
    #expect(lost % 2000 == 0)
  }

  @Test("a process that reads finds the changes of one that writes in large transactions")
  func bulk() async throws {
    let url = url
    var changes = reader.changes.makeAsyncIterator()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let context = ModelContext(try Self.writing(url))
      for _ in 0..<100 { context.insert(Folder(name: String(repeating: "long ", count: 20_000))) }
      try context.save()
    }
    #expect(try await changes.next(1) == [.commit(2, inserted: 100)])
  }

  /// The reader is the other process here, and ends when it has seen what it waits for.
  @Test("several processes read at the same time")
  func severalReaders() async throws {
    let (reader, url) = (reader, url)
    let token = try reader.lastHistoryToken()
    reader.close()
    let writer = try Self.writing(url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [url = url as URL, token = token as DefaultHistoryToken] in
            let reader = try ModelContainer(
              for: Folder.self, configurations: ModelConfiguration(url: url, allowsSave: false))
            var changes = try reader.changes(since: token).makeAsyncIterator()
            #expect(try await changes.numbers(upTo: 501) == Array(2...501))
          }
        }
      }
      group.addTask { try await OtherThread.run { try writer.commit(500) } }
      try await group.waitForAll()
    }
  }
}
