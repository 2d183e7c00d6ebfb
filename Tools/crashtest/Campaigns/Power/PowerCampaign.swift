import CInterpose
import TestSupport

/// Runs workloads while everything that they write is recorded, and looks at what power cuts and the death of the process
/// would have left at any moment.
struct PowerCampaign: Campaign {
  private static let imagesPerRun = 24
  private static let secondLevelPercent = 35
  private static let secondLevelImages = 4
  private static let verifiedPercent = 40

  let options: CampaignOptions

  func run(case number: Int, _ report: WorkerReport, scratch: Scratch) throws -> Bool {
    var random = SplitMix64(seed: options.seed(ofCase: number))
    let workload = options.workload ?? options.variant?.workload ?? Workload.draw(&random)
    let plain = StoreSetup.withManyCheckpoints(&random)
    let setup = options.variant?.setup(of: plain) ?? plain
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
      recording: recording, setup: setup, title: "case \(number), workload \(workload)", level: 1)
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
      recording: recovery, setup: crash.examination.setup, title: "\(crash.title), then while recovering", level: 2)
    var second = Cutter(
      run, medium: crash.mediumAfter, ledger: Ledger(recovery, initial: crash.promisesAfter))
    for point in CrashPoints(recovery).pick(Self.secondLevelImages, &random) {
      try second.advance(to: point)
      let again = second.crash(garbage: false, &random)
      _ = try examine(again, false, report, scratch, &random)
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
      report.failed("\(crash.title): \(finding)", keeping: scratch.path(Scratch.evidence))
      return nil
    }
    report.passed()
    return recording
  }
}
