import Glibc
import Synchronization
import TestSupport
import Testing

@testable import KeyValueStore

/// A backup is complete, or it is no store: whatever fails, and wherever it is interrupted.
@Suite("Backups that fail")
struct BackupFaultTests {
  private let folder: TemporaryFolder
  private let files: FailingFiles

  init() throws {
    folder = try TemporaryFolder()
    files = FailingFiles()
  }

  private func open() throws -> Environment {
    let environment = try Environment(at: folder["store"], files: files.faulty)
    try NumberedStore.write(7, to: environment, try environment.table("numbers"))
    return environment
  }

  @Test("a call that fails leaves nothing that opens", arguments: [ENOSPC, EIO])
  func oneFailure(errno: Int32) throws {
    let environment = try open()
    var failures = 0
    for call in 0... {
      files.fail(call..<(call + 1), with: errno)
      let result = Result { try environment.backup(to: folder["copy"]) }
      files.heal()
      if case .success = result { break }
      failures += 1
      for access in [Environment.Access.readOnly, .readWrite] {
        let isEmpty = try copyIsEmpty()
        #expect(throws: StoreError.self, "call \(call)") {
          // Opened for writing, an empty folder would become a new store, rightly.
          let copy = try Environment(at: folder["copy"], options: .init(access: isEmpty ? .readOnly : access))
          copy.close()
        }
      }
    }
    #expect(failures > 30)
    #expect(try NumberedStore.number(in: Environment(at: folder["copy"])) == 7)
    #expect(try NumberedStore.number(in: environment) == 7)
  }

  @Test("an interruption leaves a backup that is complete, or that nobody opens and the next one replaces")
  func interruption() throws {
    let environment = try open()
    var (refused, complete) = (0, 0)
    for call in 0... {
      let path = folder["copy\(call)"]
      // From this call on everything fails, the cleaning up too: to the files that is the end of the process.
      files.fail(call..<Int.max, with: EIO)
      let result = Result { try environment.backup(to: path) }
      files.heal()
      if case .success = result { break }
      if (try? SystemFiles().names(in: path))?.contains(StorePaths.checkpoint) ?? false {
        complete += 1
        let copy = try Environment(at: path)
        #expect(try NumberedStore.number(in: copy) == 7)
        continue
      }
      if try !isEmpty(path) {
        refused += 1
        for access in [Environment.Access.readOnly, .readWrite] {
          #expect(throws: StoreError.self, "call \(call)") { try Environment(at: path, options: .init(access: access)) }
        }
      }
      try environment.backup(to: path)
      let copy = try Environment(at: path)
      #expect(try NumberedStore.number(in: copy) == 7)
      #expect(try copy.verify().problems == [])
    }
    #expect(refused > 20 && complete > 0)
  }

  private func copyIsEmpty() throws -> Bool { try isEmpty(folder["copy"]) }

  /// Whether there is nothing, or a folder with nothing but a lock file.
  private func isEmpty(_ path: String) throws -> Bool {
    guard let names = try? SystemFiles().names(in: path) else { return true }
    return Set(names).isSubset(of: [StorePaths.writerLock])
  }
}

/// The system's files, some calls of which fail.
private final class FailingFiles: Sendable {
  private struct Plan {
    var calls = 0
    var failing = 0..<0
    var errno: Int32 = 0
  }

  private let plan = Mutex(Plan())

  var faulty: FaultyFiles {
    FaultyFiles { [self] (_, operation, path) throws(FileError) in
      // What the store does meanwhile by itself is not the backup's.
      if path.contains("/store"), operation != .read { return }
      let errno = plan.withLock { plan in
        defer { plan.calls += 1 }
        return plan.failing.contains(plan.calls) ? plan.errno : nil
      }
      if let errno { throw FileError(operation, path, errno: errno) }
    }
  }

  /// Lets calls fail, counted from now.
  func fail(_ calls: Range<Int>, with errno: Int32) {
    plan.withLock { $0 = Plan(failing: calls, errno: errno) }
  }

  func heal() {
    plan.withLock { $0.failing = 0..<0 }
  }
}
