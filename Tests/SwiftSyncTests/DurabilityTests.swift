import SwiftSync
import TestSupport
import Testing

@Suite("Durability of containers, saves and syncs")
@MainActor
struct DurabilityTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func container(_ name: String, _ durability: Durability) throws -> SyncContainer {
    try SyncContainer(
      for: Project.self,
      configurations: ModelConfiguration(url: URL(fileURLWithPath: folder[name]), durability: durability))
  }

  @Test("a save asks the medium once, or not at all when it is relaxed, and a save can say so itself")
  func saves() async throws {
    // No flush comes by itself within the test.
    let relaxed = Durability.relaxed(flushEvery: .seconds(3600))
    let cases: [(configured: Durability, asked: Durability?, syncs: Int)] = [
      (.full, nil, 1), (.full, relaxed, 0), (relaxed, nil, 0), (relaxed, .full, 1),
    ]
    for (number, (configured, asked, syncs)) in cases.enumerated() {
      let container = try container("\(number)", configured)
      defer { container.modelContainer.close() }
      let context = container.mainContext
      let before = container.modelContainer.metrics
      context.insert(Project(id: 1, name: "a"))
      try context.save(durability: asked)
      let after = container.modelContainer.metrics
      #expect(after.commits == before.commits + 1)
      #expect(after.syncs == before.syncs + syncs, "\(configured), \(String(describing: asked))")
    }
  }

  @Test("a sync is as durable as its container, and a flush makes up for what is relaxed")
  func syncs() async throws {
    let container = try container("store", .relaxed(flushEvery: .seconds(3600)))
    // A checkpoint brings to the medium what a flush then finds there already.
    func timesOnMedium() -> Int {
      let metrics = container.modelContainer.metrics
      return metrics.syncs + metrics.checkpoints
    }
    let before = timesOnMedium()
    try await container.sync(payload: [["id": 1, "name": "a"]], as: Project.self)
    try await container.modelContainer.flush()
    let after = timesOnMedium()
    #expect(after > before)
  }
}
