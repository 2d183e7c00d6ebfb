import CLMDB
import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Commits that fail")
struct CommitTests {
  private let folder: TemporaryFolder
  private let committer = FakeCommitter()
  private let environment: Environment
  private let table: Table

  init() throws {
    folder = try TemporaryFolder()
    environment = try Environment(at: folder["store"], files: SystemFiles(), committer: committer)
    table = try environment.table("t")
    let table = table
    try environment.write { try $0.put([1], for: [1], in: table) }
  }

  private var entries: [Pair] {
    get throws { try environment.read { try $0.entries(table) } }
  }

  private func put(_ number: UInt8) throws {
    let table = table
    try environment.write { try $0.put([number], for: [number], in: table) }
  }

  @Test(
    "a refused commit leaves nothing, and the next one works",
    arguments: [
      (ENOSPC, StoreError.diskFull(path: "")), (EDQUOT, .diskFull(path: "")), (MDB_TXN_FULL, .transactionTooLarge),
      (ENOMEM, .system(operation: "Committing", path: "", errno: ENOMEM)),
      (MDB_BAD_TXN, .engine(operation: "Committing", path: "", code: MDB_BAD_TXN)),
    ] as [(Int32, StoreError)])
  func refuses(code: Int32, expected: StoreError) throws {
    committer.fail(.refused(code: code))
    #expect(throws: expected.at(environment.directory)) { try put(2) }
    #expect(try entries.map(\.key) == [[1]])
    try put(3)
    #expect(try entries.map(\.key) == [[1], [3]])
  }

  @Test("after a commit of unknown outcome nothing is written before the store is opened again")
  func refusesAfterUnknownOutcome() throws {
    committer.fail(.unknown(code: EIO))
    let path = environment.directory
    #expect(throws: StoreError.system(operation: "Committing", path: path, errno: EIO)) { try put(2) }
    #expect(throws: StoreError.mustReopen(path: path)) { try put(3) }
    #expect(throws: StoreError.mustReopen(path: path)) { try environment.table("new") }
    #expect(try entries.map(\.key) == [[1]])
    environment.close()
    let again = try Environment(at: path)
    let table = try again.table("t")
    try again.write { try $0.put([4], for: [4], in: table) }
    #expect(try again.read { try $0.entries(table) }.map(\.key) == [[1], [4]])
  }

  @Test("a commit that finds the map full is run again with a larger one")
  func growsAtCommit() throws {
    let before = try environment.statistics().mapBytes
    committer.fail(.refused(code: MDB_MAP_FULL), .refused(code: MDB_MAP_FULL))
    try put(2)
    #expect(try entries.map(\.key) == [[1], [2]])
    #expect(try environment.statistics().mapBytes == 4 * before)
  }
}

extension StoreError {
  /// The same error about another path.
  fileprivate func at(_ path: String) -> StoreError {
    switch self {
    case .diskFull: .diskFull(path: path)
    case .system(let operation, _, let errno): .system(operation: operation, path: path, errno: errno)
    case .engine(let operation, _, let code): .engine(operation: operation, path: path, code: code)
    default: self
    }
  }
}
