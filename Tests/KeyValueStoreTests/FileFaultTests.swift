import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// Every call to the file system fails once, in every kind of opening.
@Suite("File operations that fail")
struct FileFaultTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  enum Opening: CaseIterable {
    case creating, writing, reading, writingACopy

    var access: Environment.Access { self == .reading ? .readOnly : .readWrite }
  }

  @Test(
    "the error says what failed and where, and the next opening works", arguments: Opening.allCases,
    [ENOSPC, EACCES, EIO])
  func failsOnce(opening: Opening, errno: Int32) throws {
    let calls = try callsOfOpening(opening)
    #expect(calls.count > 5)
    for (number, operation) in calls.enumerated() {
      // What is not created can be used again: that is what the test shows.
      let path = opening == .creating ? folder["\(number)/store"] : folder["all/store"]
      do {
        let files = FaultyFiles(failing: number, with: errno)
        let environment = try Environment(at: path, options: .init(access: opening.access), files: files)
        environment.close()
        // Who only reads makes do with a lock file that can't be written to.
        let isReadersLock =
          opening == .reading && errno == EACCES && number == calls.firstIndex(of: .lock).map { $0 - 1 }
        #expect(isReadersLock, "call \(number), \(operation), failed unseen")
      } catch let error as StoreError {
        #expect(error.isFailure(errno, in: folder.path), "call \(number), \(operation): \(error)")
      }
      try checkWorks(path, opening)
    }
  }

  @Test("a new store's name is on the medium, and so are those of the folders made for it")
  func syncsNames() throws {
    let calls = Monitor<[(operation: FileOperation, path: String)]>([])
    let files = FaultyFiles { (_, operation, path) in calls.withLock { $0.append((operation, path)) } }
    try Environment(at: folder["a/b"], files: files).close()
    let names = calls.withLock { $0 }.filter { [.makeFolder, .rename, .sync].contains($0.operation) }
    #expect(
      names.map { "\($0.operation) \($0.path.dropFirst(folder.path.count))" } == [
        "makeFolder /a", "sync ", "makeFolder /a/b", "sync /a",
        // The name by which remains are recognised, before all others.
        "sync /a/b/checkpoint.tmp", "sync /a/b", "sync /a/b/creating.mdb", "sync /a/b/wal.0", "sync /a/b/wal.0",
        "sync /a/b/wal.1", "sync /a/b/checkpoint.tmp", "sync /a/b", "rename /a/b/creating.mdb", "sync /a/b",
        // What makes it a store, last.
        "rename /a/b/checkpoint.tmp", "sync /a/b",
        // The note that it was closed.
        "sync /a/b/checkpoint",
      ])
  }

  private func prepare(_ path: String, _ opening: Opening) throws {
    if opening == .creating { return }
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    try environment.write { try $0.put([1], for: [1], in: table) }
    environment.close()
    try removeLocks(path, opening)
  }

  private func removeLocks(_ path: String, _ opening: Opening) throws {
    guard opening == .writingACopy else { return }
    for name in ["store.lock", "lock.mdb"] { try SystemFiles().remove(path + "/" + name) }
  }

  private func callsOfOpening(_ opening: Opening) throws -> [FileOperation] {
    let path = folder["all/store"]
    try prepare(path, opening)
    let files = FaultyFiles { _, _, _ in }
    let environment = try Environment(at: path, options: .init(access: opening.access), files: files)
    defer { environment.close() }
    return files.calls
  }

  private func checkWorks(_ path: String, _ opening: Opening) throws {
    let environment = try Environment(at: path)
    defer {
      environment.close()
      #expect(throws: Never.self) { try removeLocks(path, opening) }
    }
    let table = try environment.table("t")
    #expect(
      try environment.read { try $0.entries(table) } == (opening == .creating ? [] : [Pair(key: [1], value: [1])]))
    try environment.write { try $0.put([1], for: [1], in: table) }
  }
}

extension StoreError {
  /// Whether this is what a caller should hear of an error of the system somewhere in a folder.
  fileprivate func isFailure(_ code: Int32, in folder: String) -> Bool {
    switch self {
    case .diskFull(let path): code == ENOSPC && path.hasPrefix(folder)
    case .notWritable(let path): code == EACCES && path.hasPrefix(folder)
    case .system(let operation, let path, let errno): errno == code && path.hasPrefix(folder) && !operation.isEmpty
    default: false
    }
  }
}
