import Glibc
import KeyValueStore
import Records
import TestSupport

/// Stores of records that are closed, damaged and read again. What is read must be right, or an error.
final class DamageCampaign: Campaign {
  private let options: CampaignOptions
  private var isPrepared = false
  private var toolReadings: [ToolReading] = []

  init(options: CampaignOptions) {
    self.options = options
  }

  func run(case number: Int, _ report: WorkerReport, scratch: Scratch) throws -> Bool {
    let sound = scratch.path("sound")
    let sources = Damage.Sources(older: scratch.path("older"), foreign: scratch.path("foreign"))
    if !isPrepared { try prepare(sound, sources, scratch) }
    isPrepared = true
    var random = SplitMix64(seed: options.seed(ofCase: number))
    let path = scratch.path("damaged")
    try Folder.copy(sound, to: path)
    var done: [String] = []
    var isExchanged = false
    for _ in 0...(random.chance(15) ? 1 : 0) {
      let name = random.chance(60) ? "data.mdb" : random.pick(try Folder.names(in: path)) ?? "data.mdb"
      guard Folder.hasFile("\(path)/\(name)") else { continue }
      let damage = random.pick(Damage.allCases) ?? .bitFlips
      try damage.apply(to: name, in: path, sources, &random)
      isExchanged = isExchanged || damage.exchangesPages
      done.append("\(name): \(damage.rawValue)")
    }
    let title = "case \(number), \(done.joined(separator: ", "))"
    let isWriting = random.chance(50)
    let reading = random.pick(toolReadings)
    // Who opens a store for writing may mend it, so the tool comes first then.
    if isWriting, try !judge(title, reading, path, isExchanged: isExchanged, report, scratch) { return true }
    guard try judge(title, path, isExchanged: isExchanged, isWriting: isWriting, report, scratch) else { return true }
    if !isWriting, try !judge(title, reading, path, isExchanged: isExchanged, report, scratch) { return true }
    report.passed()
    return true
  }

  /// Makes the stores: the one that is damaged, one that it was earlier, and another one.
  private func prepare(_ sound: String, _ sources: Damage.Sources, _ scratch: Scratch) throws {
    var random = SplitMix64(seed: options.seed)
    for path in [sound, sources.foreign] {
      var board = try Board(at: path)
      for round in 0..<12 {
        try board.sync(BoardPayload.items(count: 250, &random))
        if path == sound, round == 8 {
          board.store.close()
          try Folder.copy(sound, to: sources.older)
          board = try Board(at: path)
        }
      }
      if path == sound { try Folder.write(Array(BoardTruth(board.store).text.utf8), to: scratch.path("truth")) }
      board.store.close()
    }
    toolReadings = try ToolReading.all(of: sound, messages: scratch.path("tool-messages"))
  }

  /// What must not be in what came of a store; nil if there is nothing.
  ///
  /// Values have checksums, and pages have none. So where pages are damaged, LMDB may not find what is there, and where they
  /// are exchanged it finds what was there once. The check of the whole store has to say so.
  private func problem(_ outcome: DamageReader.Outcome, isExchanged: Bool, _ path: String) throws -> String? {
    if let wrong = outcome.wrong, !isExchanged { return wrong }
    if outcome.wrong == nil, outcome.missing == 0 { return nil }
    if try isNoticed(path) { return nil }
    return outcome.wrong ?? "\(outcome.missing) rows or their links were not found, and the check finds nothing wrong"
  }

  /// Whether the store's own check finds something wrong. It must not end the process, whatever it reads.
  private func isNoticed(_ path: String) throws -> Bool {
    do { return try !Environment.verify(at: path).isSound } catch is StoreError { return true }
  }

  /// Has the tool read a store, and says whether that is as it should be.
  private func judge(
    _ title: String, _ reading: ToolReading?, _ path: String, isExchanged: Bool, _ report: WorkerReport,
    _ scratch: Scratch
  ) throws -> Bool {
    guard let reading else { return true }
    let run = try ToolReading.Run(reading.words(path), messages: scratch.path("tool-messages"))
    let judgement = reading.judge(run)
    let isRight: Bool
    switch judgement {
    case .right, .refused: isRight = true
    case .wrong: isRight = reading.isWhole && !isExchanged ? false : try isNoticed(path)
    case .failed: isRight = false
    }
    report.counted("runs of the tool that \(judgement.summary)", 1)
    if !isRight {
      report.failed("\(title): \(reading.name) \(judgement.summary): \(run.text.suffix(300))", keeping: nil)
    }
    return isRight
  }

  /// Has a process read a store through the library, and says whether that is as it should be.
  private func judge(
    _ title: String, _ path: String, isExchanged: Bool, isWriting: Bool, _ report: WorkerReport, _ scratch: Scratch
  ) throws -> Bool {
    let role = ChildRole.damageReader(path: path, truth: scratch.path("truth"), isWriting: isWriting)
    let process = try ChildProcess(role.words, messages: scratch.path("reader-messages"))
    var lines = LineReader(process.output)
    var outcome: DamageReader.Outcome?
    while let line = lines.next(waiting: 30_000) { outcome = DamageReader.Outcome(line) ?? outcome }
    if lines.hasTimedOut { process.kill() }
    switch (process.wait(), outcome) {
    case _ where lines.hasTimedOut:
      report.failed("\(title): reading it hangs", keeping: nil)
      return false
    case (.exited(0), let outcome?):
      let kind = isWriting ? "opened for writing" : "only read"
      if let problem = try problem(outcome, isExchanged: isExchanged, path) {
        report.failed("\(title), \(kind): \(problem)", keeping: nil)
        return false
      }
      report.counted("values read and right", outcome.right)
      report.counted("stores refused, in whole or in part", outcome.refused > 0 ? 1 : 0)
      report.counted("stores of which something was not found, as the check says", outcome.missing > 0 ? 1 : 0)
      report.counted("stores with exchanged pages and old values, as the check says", outcome.wrong == nil ? 0 : 1)
      return true
    case (.killed(let signal), _) where [SIGBUS, SIGSEGV, SIGABRT].contains(signal):
      report.counted("processes that LMDB ended at a damaged page", 1)
      return true
    case (let end, _):
      let text = try String(decoding: Folder.bytes(of: scratch.path("reader-messages")).prefix(300), as: UTF8.self)
      report.failed("\(title): the reading process has ended with \(end): \(text)", keeping: nil)
      return false
    }
  }
}
