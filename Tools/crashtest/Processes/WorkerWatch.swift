import Glibc
import Synchronization

/// Follows what one worker says until its end.
final class WorkerWatch {
  private let process: ChildProcess
  private let scratch: Scratch
  private let failures: FailureFolder
  private let results: Results
  private(set) var testCount = 0
  private(set) var lastCase = 0

  init(_ arguments: [String], scratch: Scratch, failures: FailureFolder, results: Results) throws {
    process = try ChildProcess(arguments, messages: scratch.path("messages"))
    self.scratch = scratch
    self.failures = failures
    self.results = results
  }

  /// Returns at the worker's end; true if it had run all of its cases.
  func follow(silenceMillisecondsMax: Int32, failuresMax: Int) -> Bool {
    var lines = LineReader(process.output)
    var isEnded = false
    while let line = lines.next(waiting: silenceMillisecondsMax) {
      guard let line = WorkerReport.Line(line) else { continue }
      isEnded = line == .ended
      take(line)
      if results.tally.failed >= failuresMax { break }
    }
    if isEnded {
      _ = process.wait()
      return true
    }
    let isSilent = lines.hasTimedOut
    process.kill()
    let end = process.wait()
    if results.tally.failed >= failuresMax { return true }
    testCount += 1
    let reason =
      switch end {
      case _ where isSilent: "it hangs"
      case .exited(let code): "the process has ended with \(code)"
      case .killed(let signal): "the process was ended by signal \(signal)"
      }
    results.add { $0.failed += 1 }
    let evidence = scratch.path(Scratch.evidence)
    failures.keep("case \(lastCase): \(reason)", case: lastCase, evidence, messages: scratch.path("messages"))
    return false
  }

  private func take(_ line: WorkerReport.Line) {
    switch line {
    case .began(let number): lastCase = number
    case .passed:
      testCount += 1
      results.add { $0.passed += 1 }
    case .failed(let text, let folder):
      testCount += 1
      results.add { $0.failed += 1 }
      failures.keep(text, case: lastCase, folder, messages: nil)
    case .counted(let name, let count): results.add { $0.counts[name, default: 0] += count }
    case .noted(let text): failures.note(text)
    case .ended: break
    }
  }
}

/// The tally that all workers add to.
final class Results: Sendable {
  private let shared = Mutex(Tally())

  var tally: Tally { shared.withLock { $0 } }

  func add(_ change: (inout sending Tally) -> Void) {
    shared.withLock { change(&$0) }
  }
}
