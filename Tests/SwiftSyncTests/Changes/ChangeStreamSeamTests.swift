import SwiftSync
import Synchronization
import TestSupport
import Testing

@Suite("Change streams beside writers", .timeLimit(.minutes(20)))
struct ChangeStreamSeamTests {
  private static let writerCount = 3
  private static let commitsOfWriter = 250

  /// How many commits the writers have made.
  private final class Progress: Sendable {
    let commits = Atomic(0)
  }

  /// Readers that begin at any moment, in the history or behind it, and are sometimes slow, see exactly the commits behind the token
  /// that they began with.
  @Test("there is no gap and nothing twice between history and live commits", arguments: [1, 2, 3] as [UInt64])
  func seam(seed: UInt64) async throws {
    let container = try memoContainer()
    try container.commit(20)
    let progress = Progress()
    let last = Int64(20 + Self.writerCount * Self.commitsOfWriter)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.writerCount {
        group.addTask {
          try await OtherThread.run {
            for _ in 0..<Self.commitsOfWriter {
              try container.commit(1)
              progress.commits.add(1, ordering: .relaxed)
            }
          }
        }
      }
      for number in 0..<12 {
        group.addTask {
          var random = SplitMix64(seed: seed &* 100 &+ UInt64(number))
          let begin = Int.random(in: 0..<600, using: &random)
          await OtherThread.wait { progress.commits.load(ordering: .relaxed) >= begin }
          // A stream of what comes from now on begins behind one of two tokens.
          let token = try container.lastHistoryToken()
          let stream = number % 2 == 0 ? container.changes : try container.changes(since: token)
          let after = try container.lastHistoryToken()
          var changes = stream.makeAsyncIterator()
          var seen: [Int64] = []
          let pause = Int.random(in: 0..<400, using: &random)
          while seen.last != last, token.number != last, let element = try await changes.next() {
            guard case .committed(let commit) = element else {
              Issue.record("\(element)")
              return
            }
            #expect(commit[Folder.self].inserted.count == 1)
            seen.append(try #require(commit.token?.number))
            if seen.count == pause { await OtherThread.waitInVain() }
          }
          guard let first = seen.first else { return }
          #expect(seen == Array(first...last))
          let earliest = try #require(token.number) + 1
          if number % 2 == 0 {
            #expect((earliest...(try #require(after.number) + 1)).contains(first))
          } else {
            #expect(first == earliest)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try container.lastHistoryToken().number == last)
  }
}
