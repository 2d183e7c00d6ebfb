import Testing

/// A short run of each campaign. docs/reliability.md says how long ones are started and what they have shown.
@Suite("Campaigns", .serialized)
struct CampaignTests {
  @Test(
    "nothing fails",
    arguments: [
      "power --seed 1 --count 3000", "power --seed 2 --count 300 --workload faults", "kill --seed 1 --count 60",
      "damage --seed 1 --count 150", "soak --seed 1 --count 4", "push --seed 1 --count 24",
    ])
  func passes(line: String) throws {
    try expectNothingFailed(CrashTestRun(line))
  }

  @Test("nothing fails when any call site of the system does")
  func coversCallSites() throws {
    let run = try CrashTestRun("faults --seed 1 --count 900")
    try expectNothingFailed(run)
    let sites = try #require(run.lines.first { $0.hasSuffix(" call sites") }?.split(separator: " "))
    #expect(sites.count == 5 && sites[0] == sites[2], "\(run.output)")
  }

  @Test("broken stores are caught")
  func catchesVariants() throws {
    let run = try CrashTestRun("power --seed 1 --variants --count 1500")
    #expect(run.exitCode == 0, "\(run.output)")
    #expect(run.lines.filter { $0.contains(": caught after") }.count >= 10, "\(run.output)")
  }

  private func expectNothingFailed(_ run: CrashTestRun) throws {
    #expect(run.exitCode == 0, "\(run.output)")
    let last = try #require(run.lines.last)
    #expect(last.hasSuffix(" passed, 0 failed") && !last.hasPrefix("0 "), "\(run.output)")
  }
}
