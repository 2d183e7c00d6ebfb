import Foundation
import SwiftSync
import TestSupport
import Testing

@testable import SwiftSync

/// Several syncs at once (contract, 7.5, 7.6 and B-14).
@MainActor
@Suite("7.5, 7.6: Syncs of several tasks, and cancelled ones") struct ConcurrentSyncTests {
  @Test("Small syncs from many tasks are made durable together")
  func groupCommits() async throws {
    let folder = try TemporaryFolder()
    let container = try SyncContainer(
      for: Dossier.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: folder["dossiers.store"])))
    let before = container.modelContainer.metrics
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<64 {
        group.addTask { try await container.sync(item: ["id": id, "pages": id], as: Dossier.self) }
      }
      try await group.waitForAll()
    }
    let after = container.modelContainer.metrics
    #expect(after.commits - before.commits == 64)
    #expect(after.groupSizeMax > 1, "\(after)")
    #expect(try container.dossiers().count == 64)
  }

  @Test("A sync that waits while another has the gate alone stops waiting when it is cancelled; others follow in order")
  func cancelledWhileWaiting() async throws {
    let container = try SyncContainer.archive()
    let gate = container.modelContainer.core.syncGate
    try await gate.entering(.exclusive, syncing: "Row") {
      let cancelled = _Concurrency.Task.detached { try await container.sync(payload: [], as: Dossier.self) }
      while gate.waiterCount == 0 { await _Concurrency.Task.yield() }
      cancelled.cancel()
      await #expect(throws: SyncError.cancelled) { try await cancelled.value }
      let dossiers = try container.dossiers()
      #expect(dossiers.count == 3)
    }
    try await container.sync(payload: [["id": 1]], as: Dossier.self)
    #expect(try container.dossiers() == ["1 t1 100 1"])
  }

  @Test("Two containers over one store take turns too")
  func twoContainers() async throws {
    let container = try SyncContainer.archive()
    let other = SyncContainer(container.modelContainer, keyStyle: .camelCase)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 0..<20 {
        group.addTask {
          let rows = (0..<20).map { ["id": $0, "pages": round] as [String: Any] }
          try await (round % 2 == 0 ? container : other).sync(payload: rows, as: Dossier.self)
        }
      }
      try await group.waitForAll()
    }
    let pages = try Set(container.dossiers().map { $0.split(separator: " ")[2] })
    #expect(try container.dossiers().count == 20 && pages.count == 1)
  }

  @Test("A task that is cancelled before it calls: nothing is read or written, by any form (7.5)")
  func cancelledBefore() async throws {
    let container = try SyncContainer.archive()
    let cabinet = try container.cabinet(1)
    let calls: [@MainActor () async throws -> SyncReport] = [
      { try await container.sync(payload: [], as: Dossier.self) },
      { try await container.sync(item: ["id": 1, "pages": 0], as: Dossier.self) },
      { try await container.sync(payload: [], as: Dossier.self, parent: cabinet, relationship: \.cabinet) },
      { try await container.sync(json: Data("[".utf8), as: Dossier.self) },
      { try await container.sync(ndjson: Data(), as: Dossier.self) },
      { try await container.sync(chunks: AsyncStream<Data> { $0.finish() }, as: Dossier.self) },
      { try await container.mainContext.sync(payload: [], as: Dossier.self) },
    ]
    for call in calls {
      let task = _Concurrency.Task { @MainActor in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await call()
      }
      await #expect(throws: SyncError.cancelled) { try await task.value }
    }
    #expect(try container.dossiers().count == 3)
  }
}
