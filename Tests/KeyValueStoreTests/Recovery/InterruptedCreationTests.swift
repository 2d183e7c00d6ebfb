import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// A store exists or does not: `checkpoint` is the last name that a creation gives (invariant 12).
@Suite("Interrupted creation")
struct InterruptedCreationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("a creation that ends before any of its calls to the system is absent or complete")
  func survivesInterruptedCreation() async throws {
    let calls = try callsOfCreation()
    for step in calls.indices {
      // From there on nothing is done any more, which leaves the same files as a kill.
      let files = FaultyFiles { (call, operation, path) throws(FileError) in
        if call >= step { throw FileError(operation, path, errno: EIO) }
      }
      #expect(throws: StoreError.self) { try Environment(at: folder["\(step)"], files: files) }
      try checkCreation(at: folder["\(step)"])
    }
  }

  @Test("so is one that is killed")
  func survivesKilledCreation() async throws {
    let calls = try callsOfCreation()
    let renames = calls.indices.filter { calls[$0] == .rename }
    for step in [calls.firstIndex(of: .reserve), renames.first, renames.last, renames.last.map { $0 + 1 }] {
      let step = try #require(step)
      let path = folder["\(step)"]
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, step = step as Int] in
        let files = FaultyFiles { (call, _, _) in if call == step { kill(getpid(), SIGKILL) } }
        try Environment(at: path, files: files).close()
      }
      try checkCreation(at: path)
    }
  }

  private func callsOfCreation() throws -> [FileOperation] {
    let files = FaultyFiles { _, _, _ in }
    let environment = try Environment(at: folder["counting"], files: files)
    defer { environment.close() }
    return files.calls
  }

  private func checkCreation(at path: String) throws {
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    try environment.write { try $0.put([1], for: [1], in: table) }
    environment.close()
    #expect(
      try Set(SystemFiles().names(in: path)) == ["checkpoint", "data.mdb", "lock.mdb", "store.lock", "wal.0", "wal.1"])
  }
}
