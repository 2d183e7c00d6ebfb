import Synchronization
import Testing

@testable import SyncEngine

/// What a sync tells while it runs.
@Suite struct SyncHookTests {
  private func run(_ rowCount: Int, hooks: SyncHooks, isCancelled: Bool = false) async throws {
    let store = try TestStore(.entity("Model"))
    let rows = (0..<rowCount).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let document = try PayloadDocument(json: Array("[\(rows)]".utf8))
    let request = SyncRequest(entity: "Model", document: document, hooks: hooks)
    _ = try await request.run(in: store.store, author: nil, plans: store.plans)
  }

  @Test("Progress only grows and ends with all rows", arguments: [0, 1, 7, 99, 250, 1000])
  func progress(_ rowCount: Int) async throws {
    let heard = Mutex<[SyncProgress]>([])
    try await run(rowCount, hooks: SyncHooks(progress: { progress in heard.withLock { $0.append(progress) } }))
    let completed = heard.withLock { $0 }.map(\.completedRows)
    #expect(completed == completed.sorted() && completed.last == rowCount)
    #expect(heard.withLock { $0 }.allSatisfy { $0.totalRows == rowCount })
    #expect((1...130).contains(completed.count))
    #expect(completed.count >= min(rowCount, 50))
  }

  @Test("Every phase of the transaction is told once, in order")
  func phases() async throws {
    let heard = Mutex<[SyncPhase]>([])
    try await run(
      10,
      hooks: SyncHooks(phase: { phase, duration in
        #expect(duration >= .zero)
        heard.withLock { $0.append(phase) }
      }))
    #expect(heard.withLock { $0 } == [.wait, .resolve, .map, .link, .delete, .commit])
  }
}
