import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// LMDB begins a snapshot of its own for a compact copy, and that could show a bulk transaction that was not durable yet. The
/// backup was complete then, with something that a power cut could still take from the store, or that had never been
/// acknowledged.
@Suite("Compact backups beside bulk transactions")
struct CompactBackupTests {
  @Test("the copy waits until what it has is durable, and is none if that fails", arguments: [0, EIO] as [Int32])
  func waits(errno: Int32) async throws {
    let folder = try TemporaryFolder()
    let (copying, syncing) = (Gate(), Gate())
    let isBulk = Monitor(false)
    let files = FaultyFiles { (_, operation, path) throws(FileError) in
      if operation == .open, path.hasSuffix("copy/" + StorePaths.unfinishedData) { copying.pass() }
      guard operation == .sync, path.hasSuffix("store/" + StorePaths.data), isBulk.withLock({ $0 }) else { return }
      syncing.pass()
      if errno != 0 { throw FileError(operation, path, errno: errno) }
    }
    let environment = try Environment(
      at: folder["store"], options: .init(mapBytesInitial: 1 << 28), files: files)
    try NumberedStore.write(1, to: environment, try environment.table("numbers"))
    let table = try environment.table("bulk")

    let copy = folder["copy"]
    let isDone = Monitor(false)
    let backup = Task.detached {
      try await OtherThread.run {
        defer { isDone.withLock { $0 = true } }
        try environment.backup(to: copy, compact: true)
      }
    }
    // The pages were checked in a snapshot without it; the copy is about to begin.
    await copying.someoneWaits()
    isBulk.withLock { $0 = true }
    let bulk = Task.detached {
      try await OtherThread.run {
        try environment.write { transaction in
          let value = [UInt8](repeating: 1, count: 1 << 20)
          for key in 0..<6 { try transaction.put(value, for: [UInt8](number: key), in: table) }
        }
      }
    }
    await syncing.someoneWaits()
    copying.open()
    await OtherThread.wait { (try? Self.byteCount(copy + "/" + StorePaths.unfinishedData)) ?? 0 > 6 << 20 }
    await OtherThread.waitInVain()
    #expect(!isDone.withLock { $0 })
    syncing.open()
    if errno == 0 {
      try await bulk.value
      try await backup.value
      let opened = try Environment(at: copy)
      let table = try opened.table("bulk")
      #expect(try opened.read { try $0.count(in: table) } == 6)
      opened.close()
    } else {
      await #expect(throws: StoreError.outcomeUnknown(path: environment.directory, errno: errno)) {
        try await bulk.value
      }
      let cause = ReopenCause.failedCall(
        operation: "Syncing", path: environment.directory + "/" + StorePaths.data, errno: errno)
      await #expect(throws: StoreError.mustReopen(path: environment.directory, cause: cause)) { try await backup.value }
      #expect(throws: StoreError.noSuchStore(path: copy)) {
        try Environment(at: copy, options: .init(access: .readOnly))
      }
    }
    environment.close()
  }

  private static func byteCount(_ path: String) throws -> Int? {
    try SystemFiles().status(of: path)?.byteCount
  }
}
