import Glibc
import TestSupport

/// Writing processes that are killed, one after the other on the same store, beside processes that read it.
struct KillCampaign: Campaign {
  private static let deathsPerCase = 10

  let options: CampaignOptions

  func run(case number: Int, _ report: WorkerReport, scratch: Scratch) throws -> Bool {
    var random = SplitMix64(seed: options.seed(ofCase: number))
    let path = scratch.path("store")
    try Folder.empty(path)
    var ledger = Ledger()
    var readers: [Reader] = []
    for death in 1...Self.deathsPerCase {
      let title = "case \(number), death \(death)"
      do {
        try killWriter(at: path, &ledger, scratch, &random)
        if random.chance(40) { try stop(&readers, report) }
        while readers.count < 2, random.chance(50) { readers.append(try Reader(at: path, scratch, readers.count)) }
        report.passed()
      } catch let finding as Finding {
        report.failed("\(title): \(finding)", keeping: nil)
        try? stop(&readers, report)
        return true
      }
    }
    do { try stop(&readers, report) } catch let finding as Finding {
      report.failed("case \(number): \(finding)", keeping: nil)
    }
    return true
  }

  /// Lets a process write for a while, kills it, and judges what it says about what it found.
  private func killWriter(
    at path: String, _ ledger: inout Ledger, _ scratch: Scratch, _ random: inout SplitMix64
  ) throws {
    let point = random.chance(60) ? KillPoint(&random) : nil
    let messages = scratch.path("writer-messages")
    let writer = try ChildProcess(ChildRole.writer(path: path, seed: random.next(), point).words, messages: messages)
    let deadline = ContinuousClock.now + .milliseconds(point == nil ? random.below(120) : 400)
    var listener = MarkListener(writer.output)
    do {
      try listener.listen(until: deadline, &ledger)
      writer.kill()
      try listener.listen(until: nil, &ledger)
    } catch {
      writer.kill()
      _ = writer.wait()
      throw error
    }
    let end = writer.wait()
    if end != .killed(signal: SIGKILL), end != .exited(0) {
      throw Finding("the writing process has ended with \(end): \(try ChildProcess.words(in: messages))")
    }
  }

  /// Ends the reading processes, and throws what one of them has found.
  private func stop(_ readers: inout [Reader], _ report: WorkerReport) throws {
    let stopping = readers
    readers = []
    var finding: (any Error)?
    for reader in stopping {
      do { report.counted("snapshots read", try reader.stop()) } catch { finding = error }
    }
    if let finding { throw finding }
  }
}
