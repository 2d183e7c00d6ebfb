import KeyValueStore

/// `swiftsync recover`: what an interruption has left to do.
struct RecoverCommand: Command {
  static let dryRun = Flag(name: "--dry-run", help: "Only say what there is to do.")

  static let syntax = CommandSyntax(
    name: "recover",
    summary: "Say what recovery has to do with a store, and do it.",
    discussion: """
      Say what the next opening of a store has to do because the last one was interrupted, and do it: apply the commits
      that are in its log only, and drop what was never acknowledged.

      An application does the same when it opens the store. A store that one has open needs no recovery.
      """,
    operands: [.store],
    options: [dryRun],
    examples: [Example(line: "swiftsync recover app.store --dry-run", purpose: "see what a power cut has left to do")])

  let store: String
  let isDryRun: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    isDryRun = arguments.contains(Self.dryRun)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    Supervisor.noteActivity("checking the pages")
    let report = try PageCheck.report(on: store)
    for note in report.notes { try output.writeLine(note.description) }
    guard report.isSound else {
      for problem in report.problems { try output.writeLine(problem.description) }
      throw UnsoundStore(path: store, problemCount: report.problems.count + report.problemsBeyond)
    }
    if report.notes.contains(.inUse) { return }
    guard report.notes.contains(where: \.asksForRecovery) else {
      return try output.writeLine("There is nothing to recover.")
    }
    if isDryRun { return }
    Supervisor.noteActivity("recovering it")
    try output.flush()
    let environment = try Environment(at: store)
    environment.close()
    try output.writeLine("It is recovered and closed.")
  }
}

extension VerificationNote {
  /// Whether the next opening has something to do.
  fileprivate var asksForRecovery: Bool {
    switch self {
    case .needsRecovery, .interruptedTransaction, .firstPagesUnfinished: true
    case .inUse, .recordMissing, .logNotCompared, .failedSync, .otherFiles: false
    }
  }
}
