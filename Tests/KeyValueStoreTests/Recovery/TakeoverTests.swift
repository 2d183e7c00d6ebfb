import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// A writer takes over from one that is dead while somebody reads: this process, which is never disturbed. The bodies of
/// `processExitsWith` are the writers (correction C2, and the rules for several processes).
@Suite("Taking over from a dead writer")
struct TakeoverTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder["store"]
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    try environment.write { try $0.put([0], for: [UInt8](number: 0), in: table) }
    environment.close()
  }

  private static func keys(_ environment: Environment) throws -> [Int] {
    let table = try environment.table("t")
    return try environment.read { try $0.entries(table) }.map(\.key.asNumber)
  }

  private static func put(_ keys: Range<Int>, _ environment: Environment, _ durability: Durability = .full) throws {
    let table = try environment.table("t")
    for key in keys {
      try environment.write(durability: durability) { try $0.put([1], for: [UInt8](number: key), in: table) }
    }
  }

  @Test("what a killed writer has committed, published or not, is there for the next one, and the reader reads on")
  func takesOver() async throws {
    let reader = try Environment(at: path, options: .init(access: .readOnly))
    let (path, rounds) = (path, 3)
    for round in 0..<rounds {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
        let environment = try Environment(at: path)
        #expect(try TakeoverTests.keys(environment) == Array(0..<(1 + 20 * round)))
        #expect(environment.metrics.commitsRecovered <= 20)
        try TakeoverTests.put((1 + 20 * round)..<(11 + 20 * round), environment, .relaxed)
        // Published by a snapshot, and the rest perhaps not.
        _ = try TakeoverTests.keys(environment)
        try TakeoverTests.put((11 + 20 * round)..<(21 + 20 * round), environment, .relaxed(flushEvery: .seconds(1000)))
        kill(getpid(), SIGKILL)
      }
      let keys = try Self.keys(reader)
      #expect(keys == Array(0..<keys.count))
      #expect(keys.count > 10 + 20 * round)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path)
      try TakeoverTests.put(61..<70, environment)
      environment.close()
    }
    #expect(try Self.keys(reader) == Array(0..<70))
    reader.close()
    let environment = try Environment(at: path)
    #expect(try Self.keys(environment) == Array(0..<70))
    environment.close()
  }

  @Test("a snapshot that was open all the time shows what it showed")
  func leavesSnapshots() async throws {
    let reader = try Environment(at: path, options: .init(access: .readOnly))
    let path = path
    let gate = Gate()
    let reading = Task.detached {
      try await OtherThread.run {
        let table = try reader.table("t")
        return try reader.read { snapshot in
          let before = try snapshot.entries(table)
          gate.pass()
          return try snapshot.entries(table) == before
        }
      }
    }
    await gate.someoneWaits()
    for _ in 0..<2 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let environment = try Environment(at: path)
        for _ in 0..<5 {
          try TakeoverTests.put(0..<100, environment, .relaxed)
          _ = try TakeoverTests.keys(environment)
        }
        kill(getpid(), SIGKILL)
      }
    }
    gate.open()
    #expect(try await reading.value)
    #expect(try Self.keys(reader) == Array(0..<100))
  }

  @Test("after a failed sync a writer has to wait until the readers have closed, and then recovers")
  func refusesAfterFailedSync() async throws {
    let reader = try Environment(at: path, options: .init(access: .readOnly))
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let faults = Faults()
      let environment = try Environment(at: path, files: faults.files())
      try TakeoverTests.put(1..<5, environment)
      faults.fail(.sync, "wal.")
      #expect(throws: StoreError.outcomeUnknown(path: path, errno: EIO)) { try TakeoverTests.put(5..<6, environment) }
      environment.close()
    }
    #expect(try SystemFiles().status(of: path + "/sync.failed") != nil)
    await #expect(processExitsWith: .success) { [path = path as String] in
      for _ in 1...2 { #expect(throws: StoreError.failedSync(path: path)) { try Environment(at: path) } }
      // Others may still read: the system's cache has everything.
      let other = try Environment(at: path, options: .init(access: .readOnly))
      #expect(try TakeoverTests.keys(other).first == 0)
    }
    reader.close()
    let environment = try Environment(at: path)
    let keys = try Self.keys(environment)
    #expect(keys == Array(0..<5) || keys == Array(0..<6))
    #expect(try SystemFiles().status(of: path + "/sync.failed") == nil)
    try Self.put(10..<11, environment)
    environment.close()
  }

  @Test(
    "a writer killed before a bulk transaction was durable leaves it whole or not at all", arguments: [false, true])
  func survivesBulk(hasReader: Bool) async throws {
    let reader = hasReader ? try Environment(at: path, options: .init(access: .readOnly)) : nil
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      // The second sync of the data is that of the bulk transaction's checkpoint.
      let syncs = Monitor(0)
      let files = FaultyFiles { (_, operation, file) in
        guard operation == .sync, file.hasSuffix("data.mdb"), syncs.withLock({ $0 }) > 0 else { return }
        kill(getpid(), SIGKILL)
      }
      let environment = try Environment(at: path, files: files)
      try TakeoverTests.put(1..<3, environment)
      let table = try environment.table("t")
      syncs.withLock { $0 = 1 }
      try environment.write { transaction in
        let value = [UInt8](repeating: 1, count: 1000)
        for key in 10..<5010 { try transaction.put(value, for: [UInt8](number: key), in: table) }
      }
    }
    let before = [0, 1, 2]
    if let reader { #expect(try [before, before + Array(10..<5010)].contains(Self.keys(reader))) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path)
      let keys = try TakeoverTests.keys(environment)
      #expect(keys == [0, 1, 2] || keys == [0, 1, 2] + Array(10..<5010))
      try TakeoverTests.put(6000..<6001, environment)
      environment.close()
    }
    reader?.close()
    let environment = try Environment(at: path)
    let keys = try Self.keys(environment)
    #expect(keys == before + [6000] || keys == before + Array(10..<5010) + [6000])
    environment.close()
  }

  @Test("a killed writer's commits are found by the next one when nobody else is there")
  func recovers() async throws {
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let environment = try Environment(at: path)
      try TakeoverTests.put(1..<30, environment, .relaxed(flushEvery: .seconds(1000)))
      kill(getpid(), SIGKILL)
    }
    let environment = try Environment(at: path)
    #expect(environment.metrics.commitsRecovered == 29)
    #expect(try Self.keys(environment) == Array(0..<30))
    environment.close()
  }

  @Test("another process sees a commit soon, without anybody doing anything")
  func publishesByItself() async throws {
    let path = path
    let environment = try Environment(at: path)
    try Self.put(1..<2, environment, .relaxed)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let reader = try Environment(at: path, options: .init(access: .readOnly))
      await OtherThread.wait { (try? TakeoverTests.keys(reader).count) == 2 }
    }
    environment.close()
  }
}
