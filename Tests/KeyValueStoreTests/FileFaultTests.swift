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
      let path = folder["\(number)/store"]
      try prepare(path, opening)
      do {
        let files = FaultyFiles(failing: number, with: errno)
        let environment = try Environment(at: path, options: .init(access: opening.access), files: files)
        environment.close()
        Issue.record("call \(number), \(operation), failed unseen")
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
    #expect(names.map(\.operation) == [.makeFolder, .sync, .makeFolder, .sync, .rename, .sync])
    #expect(names.filter { $0.operation == .sync }.map(\.path) == [folder.path, folder["a"], folder["a/b"]])
  }

  private func prepare(_ path: String, _ opening: Opening) throws {
    if opening == .creating { return }
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    try environment.write { try $0.put([1], for: [1], in: table) }
    environment.close()
    if opening == .writingACopy {
      for name in ["store.lock", "lock.mdb"] { try SystemFiles().remove(path + "/" + name) }
    }
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
    defer { environment.close() }
    let table = try environment.table("t")
    #expect(try environment.read { try $0.count(in: table) } == (opening == .creating ? 0 : 1))
    try environment.write { try $0.put([2], for: [2], in: table) }
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
