import Glibc

/// Runs cases of a campaign one after the other until they have made enough tests. It is a process of its own, because a
/// damaged store may end the process that reads it.
enum Worker {
  /// Runs cases until `count` tests are made.
  @MainActor static func run(_ campaign: any Campaign, _ options: CampaignOptions, scratch: Scratch) async throws {
    let counter = Counter()
    let report = WorkerReport(counter: counter)
    var number = options.firstCase
    while counter.count < options.count {
      report.began(case: number)
      guard try await campaign.run(case: number, report, scratch: scratch) else { break }
      number += options.caseStep
    }
    report.ended()
  }
}
