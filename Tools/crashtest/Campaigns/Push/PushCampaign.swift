import Foundation

/// Simulates clients that work offline, their server and the network between them.
struct PushCampaign: Campaign {
  let options: CampaignOptions

  @MainActor func run(case number: Int, _ report: WorkerReport, scratch: Scratch) async throws -> Bool {
    let folder = scratch.path("clients")
    try Folder.empty(folder)
    let simulation = try PushSimulation(seed: options.seed(ofCase: number), folder: folder)
    defer { simulation.close() }
    do {
      try await simulation.run()
      for (name, count) in simulation.counts { report.counted(name, count) }
      report.passed()
    } catch {
      for line in simulation.trace.last { report.noted(line) }
      report.failed("case \(number): \(error)", keeping: nil)
    }
    return true
  }
}
