import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// A store that was closed has nothing to recover, and what must be on the medium before its first change waits for that.
@Suite("Opening what was closed")
struct ClosedStoreTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder["store"]
    let environment = try Environment(at: path)
    try Self.put(0, environment)
    environment.close()
  }

  private static func put(_ key: Int, _ environment: Environment) throws {
    let table = try environment.table("t")
    try environment.write { try $0.put([1], for: [UInt8](number: key), in: table) }
  }

  private static func keys(_ environment: Environment) throws -> [Int] {
    let table = try environment.table("t")
    return try environment.read { try $0.entries(table) }.map(\.key.asNumber)
  }

  /// The store's files but for those in which only locks are.
  private func content() throws -> [String: [UInt8]] {
    let names = [StorePaths.data, StorePaths.checkpoint] + StorePaths.segments
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try TemporaryFolder.read(path + "/" + $0)) })
  }

  @Test("opening for writing, reading and closing syncs nothing and changes no file of the store; nor do empty writes")
  func changesNothing() throws {
    let before = try content()
    let files = FaultyFiles { _, _, _ in }
    for _ in 0..<3 {
      let environment = try Environment(at: path, files: files)
      #expect(try Self.keys(environment) == [0])
      // A write that finds nothing to change is no change.
      try environment.write { _ in }
      #expect(throws: CancellationError.self) {
        try environment.write { transaction in
          try transaction.put([2], for: [UInt8](number: 0), in: environment.table("t"))
          throw CancellationError()
        }
      }
      environment.close()
    }
    #expect(!files.calls.contains(.sync))
    #expect(try content() == before)
  }

  @Test("it does so too while another process reads, and the reader sees what is written then")
  func besideReaders() async throws {
    let reader = try Environment(at: path, options: .init(access: .readOnly))
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let files = FaultyFiles { _, _, _ in }
      let environment = try Environment(at: path, files: files)
      #expect(try ClosedStoreTests.keys(environment) == [0])
      #expect(!files.calls.contains(.sync))
      try ClosedStoreTests.put(1, environment)
      environment.close()
    }
    #expect(try Self.keys(reader) == [0, 1])
    reader.close()
  }

  @Test("after the mark of a failed sync it recovers, whatever the last record says")
  func mindsFailedSync() throws {
    try TemporaryFolder.write([], to: path + "/" + StorePaths.failedSync)
    let files = FaultyFiles { _, _, _ in }
    try Environment(at: path, files: files).close()
    #expect(files.calls.contains(.sync))
    #expect(try SystemFiles().status(of: path + "/" + StorePaths.failedSync) == nil)
  }

  @Test("every call before the first commit can fail or be the last; the write is refused, and nothing else is lost")
  func firstWriteFails() throws {
    let firstCalls = try callsOfFirstWrite()
    #expect(firstCalls.count > 8)
    for call in firstCalls.indices {
      for isLast in [false, true] {
        let copy = folder["\(call) \(isLast)"]
        try StoreSurgery.copy(path, to: copy)
        let begun = Monitor<Int?>(nil)
        let files = FaultyFiles(isTearingWrites: call % 2 == 0) { (number, operation, path) throws(FileError) in
          guard let begin = begun.withLock({ $0 }) else { return }
          let isMeant = isLast ? number >= begin + call : number == begin + call
          if isMeant { throw FileError(operation, path, errno: EIO) }
        }
        let environment = try Environment(at: copy, files: files)
        _ = try environment.table("t")
        begun.withLock { $0 = files.calls.count }
        if !isLast, firstCalls[call] == .reserve {
          // Less space is asked for then.
          try Self.put(1, environment)
          environment.close()
          continue
        }
        #expect(throws: StoreError.self, "call \(call), \(firstCalls[call])") { try Self.put(1, environment) }
        // What was closed can still be read.
        #expect(try Self.keys(environment) == [0])
        environment.close()
        let keys = try OpenStore.keys(at: copy)
        // A sync that failed may have brought the frame to the medium.
        #expect(keys == [0] || keys == [0, 1], "call \(call), \(firstCalls[call])")
      }
    }
  }

  /// The calls from the first write to its commit.
  private func callsOfFirstWrite() throws -> [FileOperation] {
    let copy = folder["counting"]
    try StoreSurgery.copy(path, to: copy)
    let files = FaultyFiles { _, _, _ in }
    let environment = try Environment(at: copy, files: files)
    _ = try environment.table("t")
    let begin = files.calls.count
    try Self.put(1, environment)
    let calls = files.calls[begin...]
    environment.close()
    return Array(calls)
  }
}
