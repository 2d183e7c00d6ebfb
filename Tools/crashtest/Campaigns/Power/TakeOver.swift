import Glibc
import TestSupport

/// A writer that dies while another process reads, and a second one that takes over from it.
///
/// The system's cache has everything then, and the medium has not. What the second writer does is recorded, so that power
/// cuts can be tried in the middle of it.
struct TakeOver {
  private static let patienceMilliseconds: Int32 = 30_000

  let title: String
  let setup: StoreSetup
  private let path: String
  private let scratch: Scratch

  /// What the second writer was recorded to do, and what there was when it began.
  struct Outcome {
    let recording: Recording
    let medium: Medium
    let promises: Ledger.Initial
    /// Whether the first one was killed; otherwise it had come to its end before.
    let wasKilled: Bool
  }

  private struct Death {
    let recording: Recording
    let reader: Reader
    let wasKilled: Bool
  }

  init(_ title: String, _ setup: StoreSetup, _ scratch: Scratch) {
    self.title = title
    self.setup = setup
    self.scratch = scratch
    path = scratch.path("taken-over")
  }

  /// Lets a writer die, takes over from it, and looks whether everything is there.
  func run(_ random: inout SplitMix64) throws -> Outcome {
    let died = try killWriter(&random)
    defer { died.reader.abandon() }
    var medium = Medium()
    var ledger = Ledger(died.recording)
    for (number, event) in died.recording.events.enumerated() {
      if let mark = Mark(event) {
        ledger.apply(mark)
      } else {
        try medium.apply(event, number: number, of: died.recording)
      }
    }
    medium.beginRecording()
    let expectation = ledger.expectation(afterPowerCut: false)
    let recording = try Recording.record(in: path) {
      var examination = Examination(setup: setup, expectation: expectation)
      examination.verifies = false
      examination.commitCount = random.below(6)
      try examination.run(at: path, &random)
    }
    _ = try died.reader.stop()
    return Outcome(
      recording: recording, medium: medium,
      promises: Ledger.Initial(
        afterProcessCrash: expectation, afterPowerCut: ledger.expectation(afterPowerCut: true)),
      wasKilled: died.wasKilled)
  }

  /// Starts a writer and a reader, and waits for the death of the first.
  private func killWriter(_ random: inout SplitMix64) throws -> Death {
    try Folder.empty(path)
    let kept = RecordedWriter.recording(of: path)
    defer {
      Folder.removeFile(kept.events)
      Folder.removeFile(kept.data)
    }
    let role = ChildRole.recordedWriter(path: path, seed: random.next(), KillPoint(&random))
    let messages = scratch.path("writer-messages")
    let writer = try ChildProcess(role.words, messages: messages)
    defer { writer.kill() }
    var lines = LineReader(writer.output)
    guard lines.next(waiting: Self.patienceMilliseconds).map(String.init) == RecordedWriter.readyLine else {
      writer.kill()
      let end = writer.wait()
      throw Finding(
        "the writing process was not ready, and has ended with \(end): \(try ChildProcess.words(in: messages))")
    }
    let reader = try Reader(at: path, scratch, 0)
    do {
      try reader.waitUntilOpen()
      writer.closeInput()
      while lines.next(waiting: Self.patienceMilliseconds) != nil {}
      if lines.hasTimedOut { throw Finding("the writing process hangs") }
      let end = writer.wait()
      guard end == .killed(signal: SIGKILL) || end == .exited(0) else {
        throw Finding("the writing process has ended with \(end): \(try ChildProcess.words(in: messages))")
      }
      return Death(
        recording: try Recording(keptIn: kept.events, kept.data), reader: reader, wasKilled: end != .exited(0))
    } catch {
      reader.abandon()
      throw error
    }
  }
}
