import CInterpose
import TestSupport

/// Runs workloads while everything that they write is recorded, and looks at what power cuts and the death of the process
/// would have left at any moment.
struct PowerCampaign: Campaign {
  private static let imagesPerRun = 24
  private static let secondLevelPercent = 35
  private static let secondLevelImages = 4
  private static let verifiedPercent = 40
  private static let imagesPerTakeOver = 8

  let options: CampaignOptions

  func run(case number: Int, _ report: WorkerReport, scratch: Scratch) throws -> Bool {
    var random = SplitMix64(seed: options.seed(ofCase: number))
    let workload = options.workload ?? options.variant?.workload ?? Workload.draw(&random)
    let plain = StoreSetup.withManyCheckpoints(&random)
    let setup = options.variant?.setup(of: plain) ?? plain
    if workload == .takeOver {
      try takeOver("case \(number), take-over", setup, report, scratch, &random)
      return true
    }
    let path = scratch.path("run")
    try Folder.empty(path)
    let recording: Recording
    do {
      recording = try Recording.record(in: path) { try workload.run(at: path, setup, &random) }
    } catch let finding as Finding {
      report.failed("case \(number), workload \(workload): \(finding)", keeping: nil)
      return true
    }
    let run = RecordedRun(
      recording: recording, setup: setup, title: "case \(number), workload \(workload)")
    var cutter = Cutter(run, medium: Medium(), ledger: Ledger(recording))
    let points = CrashPoints(recording).pick(Self.imagesPerRun, &random)
    for point in points {
      try cutter.advance(to: point)
      try examine(cutter, report, scratch, &random)
    }
    return true
  }

  /// Examines a first-level image and, sometimes, what crashes during its recovery leave.
  private func examine(
    _ cutter: Cutter, _ report: WorkerReport, _ scratch: Scratch, _ random: inout SplitMix64
  ) throws {
    let crash = cutter.crash(garbage: random.chance(15), &random)
    let isRecorded = random.chance(Self.secondLevelPercent)
    guard let recovery = try examine(crash, isRecorded, report, scratch, &random) else { return }
    let run = RecordedRun(
      recording: recovery, setup: crash.examination.setup, title: "\(crash.title), then while recovering")
    let second = Cutter(run, medium: crash.mediumAfter, ledger: Ledger(recovery, initial: crash.promisesAfter))
    try examineRecovery(second, Self.secondLevelImages, report, scratch, &random)
  }

  /// Examines what crashes during a recovery leave.
  private func examineRecovery(
    _ cutter: Cutter, _ count: Int, _ report: WorkerReport, _ scratch: Scratch, _ random: inout SplitMix64
  ) throws {
    var cutter = cutter
    for point in CrashPoints(cutter.run.recording).pick(count, &random) {
      try cutter.advance(to: point)
      let crash = cutter.crash(garbage: random.chance(15), &random)
      _ = try examine(crash, false, report, scratch, &random)
    }
  }

  /// Lets a writer take over from one that has died beside a reader, and examines what crashes meanwhile leave.
  private func takeOver(
    _ title: String, _ setup: StoreSetup, _ report: WorkerReport, _ scratch: Scratch, _ random: inout SplitMix64
  ) throws {
    do {
      let outcome = try TakeOver(title, setup, scratch).run(&random)
      report.passed()
      report.counted("take-overs from dead writers", outcome.wasKilled ? 1 : 0)
      let run = RecordedRun(recording: outcome.recording, setup: setup, title: title)
      let cutter = Cutter(
        run, medium: outcome.medium, ledger: Ledger(outcome.recording, initial: outcome.promises))
      try examineRecovery(cutter, Self.imagesPerTakeOver, report, scratch, &random)
    } catch let finding as Finding {
      report.failed("\(title): \(finding)", keeping: nil)
    }
  }

  /// Examines one image, and returns the recording of that if there is to be one and nothing was found.
  private func examine(
    _ crash: Crash, _ isRecorded: Bool, _ report: WorkerReport, _ scratch: Scratch, _ random: inout SplitMix64
  ) throws -> Recording? {
    let path = scratch.path("image")
    try crash.image.write(to: path)
    try crash.save(to: scratch.path(Scratch.evidence))
    var examination = crash.examination
    examination.commitCount = random.chance(60) ? 1 + random.below(8) : 0
    examination.verifies = random.chance(Self.verifiedPercent)
    var recording: Recording?
    do {
      if isRecorded {
        recording = try Recording.record(in: path) { try examination.run(at: path, &random) }
      } else {
        try examination.run(at: path, &random)
      }
    } catch let finding as Finding {
      let evidence = try scratch.putAsideEvidence(report.counter.count)
      report.failed("\(crash.title): \(finding)", keeping: evidence)
      return nil
    }
    report.passed()
    return recording
  }
}
