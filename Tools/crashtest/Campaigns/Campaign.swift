/// A kind of test that is made of numbered cases, each of which follows from the campaign's seed and its number.
protocol Campaign {
  /// Runs one case and reports each of its tests; false, and nothing is done, if there are no more cases.
  @MainActor func run(case number: Int, _ report: WorkerReport, scratch: Scratch) async throws -> Bool
}

/// What the tests of all campaigns have in common.
struct CampaignOptions: Sendable {
  var seed: UInt64 = 1
  var count = 1000
  var jobs = 2
  /// The first case, and how far apart the cases of a worker are.
  var firstCase = 0
  var caseStep = 1
  var workload: Workload?
  var variant: Variant?

  /// The seed of a case.
  func seed(ofCase number: Int) -> UInt64 { seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number) }
}
