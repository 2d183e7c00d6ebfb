import Foundation
import SwiftSync
import Synchronization
import TestSupport
import Testing

/// What others do to a store between and during syncs.
@Suite("7.6: Syncs of a store that somebody else writes, or that has changed") struct SharedStoreTests {
  private static func open(_ path: String) throws -> SyncContainer {
    try SyncContainer(
      for: Clerk.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
  }

  private static func names(_ container: SyncContainer) throws -> [String] {
    try ModelContext(container.modelContainer).fetch(FetchDescriptor<Clerk>(sortBy: [SortDescriptor(\.id)]))
      .map { "\($0.id) \($0.name ?? "-")" }
  }

  @Test(
    "A second process that would sync is told who has the store, and the first syncs on; then it is the second's turn")
  func twoProcesses() async throws {
    let folder = try TemporaryFolder()
    let path = folder["store"]
    let container = try Self.open(path)
    try await container.sync(payload: [["id": "a", "name": "first"]], as: Clerk.self)
    let first = getpid()
    // Both at once: this process syncs until the other has been refused.
    let syncing = Task {
      var count = 0
      while !Task.isCancelled {
        count += 1
        try await container.sync(item: ["id": "b", "name": "\(count)"], as: Clerk.self)
      }
      return count
    }
    await #expect(processExitsWith: .success) { [path = path as String, first = first as Int32] in
      for _ in 0..<20 {
        let error = #expect(throws: StoreError.self) { try SharedStoreTests.open(path) }
        guard case .lockedByAnotherProcess(_, first, _)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }
    syncing.cancel()
    var count = 0
    do { count = try await syncing.value } catch SyncError.cancelled { count = -1 }
    let last = try Self.names(container)
    #expect(last.count == 2 && (count < 0 || last[1] == "b \(count)"))
    container.modelContainer.close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let container = try SharedStoreTests.open(path)
      let report = try await container.sync(payload: [["id": "a", "name": "second"]], as: Clerk.self)
      #expect(report.entities["Clerk"]?.description == "1 updated, 1 deleted")
      container.modelContainer.close()
    }
    let again = try Self.open(path)
    #expect(try Self.names(again) == ["a second"])
    again.modelContainer.close()
  }

  // MARK: An identity of another type

  enum Numbered {
    @Syncable @Model final class Badge {
      @Attribute(.unique) var id: Int
      var name: String?
      init(id: Int) { self.id = id }
    }
  }

  enum Named {
    @Syncable @Model final class Badge {
      @Attribute(.unique) var id: String
      var name: String?
      init(id: String) { self.id = id }
    }
  }

  @Test("A class whose identity has another type than the stored one does not open the store, which stays as it is")
  func changedIdentityType() async throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: folder["store"]))
    let container = try SyncContainer(for: Numbered.Badge.self, configurations: configuration)
    try await container.sync(payload: [["id": 1, "name": "a"], ["id": "2", "name": "b"]], as: Numbered.Badge.self)
    container.modelContainer.close()
    let error = #expect(throws: RecordError.self) {
      try SyncContainer(for: Named.Badge.self, configurations: configuration)
    }
    #expect(error.map { "\($0)" }?.contains("Badge.id") == true, "\(String(describing: error))")
    let again = try SyncContainer(for: Numbered.Badge.self, configurations: configuration)
    let report = try await again.sync(
      payload: [["id": 1, "name": "a"], ["id": 2, "name": "c"]], as: Numbered.Badge.self)
    #expect(report.entities["Badge"]?.description == "1 updated, 1 unchanged")
    again.modelContainer.close()
  }

  // MARK: A disk that fills

  @Test(
    "A disk that fills in the middle of a sync: an error that says so, nothing written, and the next one works",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"),
    arguments: [1, 1000, 20_000])
  func fullDisk(_ rowCount: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    try await OtherThread.run {
      try #require(SmallDisk.mount(at: path, byteCount: 32 << 20))
      let container = try Self.open(path + "/store")
      // What is one row holds as much as many.
      let text = String(repeating: "x", count: max(20, (8 << 20) / rowCount))
      let payload = (0..<rowCount).map { #"{"id":"\#($0)","name":"\#($0)\#(text)"}"# }.joined(separator: ",")
      _ = try Self.wait { try await container.sync(payload: [["id": "0", "name": "first"]], as: Clerk.self) }
      try SmallDisk.fill(path, pagesLeft: 256)
      for _ in 1...2 {
        #expect {
          try Self.wait { try await container.sync(json: Data("[\(payload)]".utf8), as: Clerk.self) }
        } throws: { error in
          if case StoreError.diskFull(let file) = error { file.hasPrefix(path) } else { false }
        }
        #expect(try Self.names(container) == ["0 first"])
      }
      // A small one fits.
      _ = try Self.wait { try await container.sync(item: ["id": "0", "name": "second"], as: Clerk.self) }
      #expect(try Self.names(container) == ["0 second"])
      try SmallDisk.free(path)
      let report = try Self.wait { try await container.sync(json: Data("[\(payload)]".utf8), as: Clerk.self) }
      #expect(report.entities["Clerk"]?.inserted == rowCount - 1)
      container.modelContainer.close()
    }
  }

  /// Has the calling thread wait for a task: the small disk is there for this thread and those of the store only.
  private static func wait<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
    let (done, result) = (DispatchSemaphore(value: 0), Box<Swift.Result<Result, any Error>>())
    Task.detached {
      let outcome: Swift.Result<Result, any Error>
      do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
      result.value.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    return try #require(result.value.withLock { $0 }).get()
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
