import Foundation

/// One way of doing a case's work. Contenders take turns; in its turn each works until the deadline has passed.
struct Contender {
  let name: String
  /// Where the times of single operations are noted, for a contender that does.
  var latencies: Latencies?
  /// How many syncs there were so far, for a contender that counts them.
  var syncCount: (() -> Int)?
  /// Works until the deadline has passed, and returns how many operations that were.
  let work: (Deadline) async throws -> Int
}

/// The end of a turn.
struct Deadline: Sendable {
  let end: ContinuousClock.Instant

  init(in duration: Duration) {
    end = .now + duration
  }

  var hasPassed: Bool { ContinuousClock.now >= end }
}

extension Contender {
  /// One operation after the other on one thread. `settle` ends what an operation leaves to the background, within the turn.
  static func loop(
    _ name: String, settle: @escaping () throws -> Void = {}, _ operation: @escaping () throws -> Void
  ) -> Contender {
    Contender(name: name) { deadline in
      var operations = 0
      repeat {
        try operation()
        operations += 1
      } while !deadline.hasPassed
      try settle()
      return operations
    }
  }

  /// The same on a store of ours, which counts syncs, and leaves things to the background.
  static func loop(_ name: String, of store: StoreRows, _ operation: @escaping () throws -> Void) -> Contender {
    var contender = loop(name, settle: store.settle, operation)
    contender.syncCount = { store.metrics.syncs }
    return contender
  }

  /// The same with the time of every operation noted. What comes before one, `prepare` does, whose time is not.
  static func timedLoop<Input>(
    _ name: String, settle: @escaping () throws -> Void = {}, prepare: @escaping () -> Input,
    _ operation: @escaping (Input) throws -> Void
  ) -> Contender {
    let latencies = Latencies()
    var contender = loop(name, settle: settle) {
      let input = prepare()
      let start = ContinuousClock.now
      try operation(input)
      latencies.note(ContinuousClock.now - start)
    }
    contender.latencies = latencies
    return contender
  }

  /// Concurrent tasks, each with its own sequence of updates, one operation after the other.
  static func tasks(
    _ count: Int, _ name: String, of store: StoreRows, updating rows: RowSource
  ) -> Contender {
    var turn = 0
    return Contender(name: name, syncCount: { store.metrics.syncs }) { deadline in
      turn += 1
      let operations = try await withThrowingTaskGroup(of: Int.self) { group in
        for task in 0..<count {
          var updates = rows.updates(seed: turn * count + task)
          group.addTask {
            var operations = 0
            repeat {
              try await store.updateAsync(updates.next())
              operations += 1
            } while !deadline.hasPassed
            return operations
          }
        }
        return try await group.reduce(0, +)
      }
      try store.settle()
      return operations
    }
  }

  /// Threads that each have something of their own to work with, such as a connection.
  static func threads<Tool: Sendable>(
    _ name: String, tools: [Tool], updating rows: RowSource,
    _ operation: @escaping @Sendable (Tool, Row) throws -> Void
  ) -> Contender {
    var turn = 0
    return Contender(name: name) { deadline in
      turn += 1
      let turn = turn
      return try Threads.run(tools.count) { index in
        var updates = rows.updates(seed: turn * tools.count + index)
        var operations = 0
        repeat {
          try operation(tools[index], updates.next())
          operations += 1
        } while !deadline.hasPassed
        return operations
      }.reduce(0, +)
    }
  }
}
