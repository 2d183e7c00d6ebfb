import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Handles and closing")
struct ClosingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder["store"]
  }

  @Test("after closing everything throws, and closing again does nothing")
  func closes() async throws {
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    environment.close()
    environment.close()
    let uses: [() throws -> Void] = [
      { _ = try environment.table("t") },
      { _ = try environment.tableIfPresent("t") },
      { _ = try environment.tableNames() },
      { _ = try environment.statistics() },
      { try environment.read { _ in } },
      { try environment.write { try $0.put([1], for: [1], in: table) } },
    ]
    for use in uses { #expect(throws: StoreError.closed(path: path)) { try use() } }
    await #expect(throws: StoreError.closed(path: path)) { try await environment.write { _ in } }
    #expect(environment.directory == path)
  }

  @Test("what was committed is there at the next opening, and the store is the same one")
  func reopens() throws {
    var identifiers: Set<StoreIdentifier> = []
    for round in 0..<5 {
      let environment = try Environment(at: path + String(repeating: "/", count: round))
      let table = try environment.table("t")
      #expect(try environment.read { try $0.count(in: table) } == round)
      try environment.write { transaction in
        try transaction.put([1], for: [UInt8](repeating: UInt8(round), count: 600), in: table)
      }
      identifiers.insert(environment.identifier)
      #expect(environment.format == 1)
      environment.close()
    }
    #expect(identifiers.count == 1)
  }

  @Test("handles on one store share it, and it stays open until the last one closes")
  func shares() throws {
    let first = try Environment(at: path)
    let second = try Environment(at: path)
    let reading = try Environment(at: path + "/", options: .init(access: .readOnly))
    #expect(first.core === second.core)
    #expect(first.core === reading.core)
    let table = try first.table("t")
    #expect(try second.table("t") == table)
    #expect(throws: StoreError.readOnly(path: path)) { try reading.write { _ in } }
    #expect(throws: StoreError.noSuchTable(name: "u")) { try reading.table("u") }
    first.close()
    try second.write { try $0.put([1], for: [1], in: table) }
    #expect(try reading.read { try $0.count(in: table) } == 1)
    second.close()
    #expect(try reading.read { try $0.count(in: table) } == 1)
    reading.close()
    let again = try Environment(at: path)
    #expect(throws: StoreError.tableOfAnotherEnvironment(name: "t")) { try again.read { try $0.count(in: table) } }
  }

  @Test("a store open for reading only can't be opened for writing beside it, but after it")
  func readsOnly() throws {
    #expect(throws: StoreError.noSuchStore(path: path)) { try Environment(at: path, options: .init(access: .readOnly)) }
    try Environment(at: path).close()
    let reading = try Environment(at: path, options: .init(access: .readOnly))
    #expect(throws: StoreError.openForReadingOnly(path: path)) { try Environment(at: path) }
    #expect(throws: StoreError.noSuchTable(name: "t")) { try reading.table("t") }
    #expect(throws: StoreError.readOnly(path: path)) { try reading.write { _ in } }
    reading.close()
    _ = try Environment(at: path).table("t")
  }

  @Test("a handle that is let go of closes the store, and its thread ends")
  func closesWhenLetGo() async throws {
    let gone = WeakCore()
    do {
      let environment = try Environment(at: path)
      gone.core = environment.core
      let table = try environment.table("t")
      try await environment.write { try $0.put([1], for: [1], in: table) }
    }
    // The writer thread lets go of its last write a moment after it has told the caller.
    await OtherThread.wait { [gone] in gone.core == nil }
    #expect(try TemporaryFolder.read(path + "/store.lock").first == UInt8(ascii: "\n"))
  }

  /// Unchecked: set before it is looked at from another thread.
  private final class WeakCore: @unchecked Sendable {
    weak var core: EnvironmentCore?
  }

  @Test("closing waits for the transactions that run and wait")
  func waits() async throws {
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    let gate = Gate()
    let writes = (0..<3).map { number in
      Task.detached {
        try await environment.write { transaction in
          gate.pass()
          try transaction.put([1], for: [UInt8](number: number), in: table)
        }
      }
    }
    await environment.someWritesWait(2)
    await gate.someoneWaits()
    let closing = Task.detached { try await OtherThread.run { environment.close() } }
    await OtherThread.wait { (try? environment.tableIfPresent("t")) == nil }
    gate.open()
    try await closing.value
    for write in writes { try await write.value }
    #expect(try TemporaryFolder.read(path + "/store.lock").first == UInt8(ascii: "\n"))
    let again = try Environment(at: path)
    let reopened = try again.table("t")
    #expect(try again.read { try $0.count(in: reopened) } == 3)
  }

  @Test("closing inside of a transaction does not wait for it, and lets it end")
  func closesInside() throws {
    let (first, second) = (try Environment(at: path), try Environment(at: path))
    let table = try first.table("t")
    try first.write { transaction in
      first.close()
      try transaction.put([1], for: [1], in: table)
    }
    try second.read { snapshot throws in
      second.close()
      #expect(try snapshot.count(in: table) == 1)
    }
    let third = try Environment(at: path)
    let reopened = try third.table("t")
    try third.write { transaction in
      third.close()
      try transaction.put([2], for: [2], in: reopened)
    }
    let fourth = try Environment(at: path)
    let again = try fourth.table("t")
    #expect(try fourth.read { try $0.count(in: again) } == 2)
  }

  @Test("a temporary store leaves nothing behind, not even while it is open")
  func leavesNothing() throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    try environment.write { try $0.put([1], for: [1], in: table) }
    #expect(environment.isTemporary)
    #expect(try SystemFiles().status(of: environment.directory) == nil)
    #expect(try environment.read { try $0.count(in: table) } == 1)
    environment.close()
    #expect(try SystemFiles().status(of: environment.directory) == nil)
    #expect(try !Environment(at: path).isTemporary)
  }

  @Test("opening and closing on many threads at once gives each a working store")
  func opensConcurrently() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          try await OtherThread.run {
            for round in 0..<8 {
              let environment = try Environment(at: path)
              defer { if round % 2 == 0 { environment.close() } }
              let table = try environment.table("t")
              try environment.write { try $0.put([1], for: [UInt8](number: number * 100 + round), in: table) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    #expect(try environment.read { try $0.count(in: table) } == 24 * 8)
  }
}
