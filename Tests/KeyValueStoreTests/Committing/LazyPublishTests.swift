import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// LMDB takes commits over a little later than they are acknowledged, and nobody in this process can tell.
@Suite("Commits that are not published yet")
struct LazyPublishTests {
  @Test("a snapshot shows every write that was acknowledged before, on whichever threads")
  func readsWrites() async throws {
    let store = try OpenStore(options: .init(durability: .relaxed))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          try await OtherThread.run {
            for round in 0..<100 {
              let key = thread * 1000 + round
              try store.put(key)
              #expect(try store.environment.read { try $0.contains([UInt8](number: key), in: store.table) })
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.keys().count == 400)
    // Many commits, and fewer times that LMDB took them over.
    let metrics = store.environment.metrics
    #expect(metrics.commits == 401)
    #expect(metrics.publishes <= metrics.commits)
  }

  @Test("without readers many commits are published at once, and with none for a while the last ones are too")
  func publishesTogether() async throws {
    let store = try OpenStore(options: .init(durability: .relaxed(flushEvery: .seconds(10_000))))
    try await store.whileWriterWaits { isWaiting in
      for number in 0..<50 {
        Task.detached { [environment = store.environment, table = store.table] in
          try await environment.write { try $0.put([1], for: [UInt8](number: number), in: table) }
        }
        await isWaiting(number + 1)
      }
    }
    let environment = store.environment
    await OtherThread.wait { environment.metrics.commits == 51 && environment.core.progress.isCurrent }
    #expect(environment.metrics.publishes <= 4)
    #expect(try store.keys() == Array(0..<50))
  }

  @Test("a reader that waits interrupts a long body, which runs again after it")
  func interruptsLongBodies() async throws {
    let store = try OpenStore(options: .init(durability: .relaxed))
    let (environment, table) = (store.environment, store.table)
    let runs = Monitor(0)
    // Whether the first write is still unpublished when the long one begins is a matter of milliseconds.
    for round in 0..<200 where environment.metrics.reruns == 0 {
      let hasRead = Monitor(false)
      let writing = Task.detached {
        try await OtherThread.run {
          try environment.write { try $0.put([1], for: [UInt8](number: 2 * round), in: table) }
          try environment.write { transaction in
            runs.withLock { $0 += 1 }
            // Only a reader ends this.
            while !hasRead.withLock({ $0 }) { _ = try transaction.value(for: [1], in: table) }
            try transaction.put([1], for: [UInt8](number: 2 * round + 1), in: table)
          }
        }
      }
      let reading = Task.detached {
        try await OtherThread.run {
          while runs.withLock({ $0 }) <= round { sched_yield() }
          _ = try environment.read { try $0.count(in: table) }
          hasRead.withLock { $0 = true }
        }
      }
      try await reading.value
      try await writing.value
      #expect(try store.keys() == Array(0..<(2 * round + 2)))
    }
    #expect(environment.metrics.reruns > 0)
  }

  @Test("a snapshot inside of a body is one of before it, and is there at the second attempt at the latest")
  func readsInsideOfBodies() async throws {
    let store = try OpenStore(options: .init(durability: .relaxed))
    let (environment, table) = (store.environment, store.table)
    for round in 0..<20 {
      let refusals = Monitor(0)
      try store.put(2 * round)
      try await environment.write { transaction in
        do {
          let count = try environment.read { try $0.count(in: table) }
          #expect(count == 2 * round + 1)
        } catch StoreError.snapshotInsideWrite {
          refusals.withLock { $0 += 1 }
          // Whatever the body does then is undone.
        }
        try transaction.put([1], for: [UInt8](number: 2 * round + 1), in: table)
      }
      #expect(refusals.withLock { $0 } <= 1)
      #expect(try store.keys() == Array(0..<(2 * round + 2)))
    }
  }

  @Test("the map grows under commits that are not published, with readers who hold two snapshots on a thread")
  func growsUnderReaders() async throws {
    let store = try OpenStore(options: .init(mapBytesInitial: 1 << 20, durability: .relaxed))
    let (environment, table) = (store.environment, store.table)
    let isOver = Monitor(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await OtherThread.run {
            while !isOver.withLock({ $0 }) {
              try environment.read { snapshot in
                let count = try snapshot.count(in: table)
                let last = try snapshot.withCursor(in: table) { try $0.last() ? Array($0.key).asNumber : -1 }
                #expect(count == last + 1)
                do {
                  #expect(try environment.read { try $0.count(in: table) } >= count)
                } catch StoreError.snapshotBlocksGrowth {
                  // Would have to wait for the growth, which waits for the first one.
                }
                #expect(try snapshot.count(in: table) == count)
              }
            }
          }
        }
      }
      // On a thread of its own, so that it does not wait among other tests' tasks while the readers keep the processors busy.
      try await OtherThread.run {
        for number in 0..<1500 {
          try environment.write { transaction in
            try transaction.put([UInt8](repeating: 3, count: 3000), for: [UInt8](number: number), in: table)
          }
        }
      }
      isOver.withLock { $0 = true }
      try await group.waitForAll()
    }
    #expect(try store.keys() == Array(0..<1500))
    #expect(try environment.statistics().mapBytes >= 4 << 20)
    #expect(try store.keysAfterKill() == Array(0..<1500))
  }

  @Test("tables created in commits that could not be published keep their content when these are applied again")
  func keepsTablesInReplay() throws {
    let store = try OpenStore(options: .init(mapBytesInitial: 64 << 10, durability: .relaxed))
    var tables: [Table] = []
    for number in 0..<40 {
      tables.append(try store.environment.table("table \(number)"))
      let table = tables[tables.count - 1]
      try store.environment.write { transaction in
        try transaction.put([UInt8](repeating: 1, count: 4000 * (number % 4)), for: [UInt8](number: number), in: table)
      }
      for (earlier, table) in tables.enumerated() where earlier % 7 == number % 7 {
        let keys = try store.environment.read { try $0.entries(table) }.map(\.key.asNumber)
        #expect(keys == [earlier])
      }
    }
    #expect(try store.environment.tableNames().count == 41)
  }
}
