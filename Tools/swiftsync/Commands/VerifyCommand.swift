/// `swiftsync verify`: whether a store is sound.
struct VerifyCommand: Command {
  static let syntax = CommandSyntax(
    name: "verify",
    summary: "Check everything in a store that can be checked.",
    discussion: """
      Check a store from its pages up: that each page of the data file is sound and used once, that the log has every
      commit behind the newest checkpoint, and then the records: their checksums, and that every index, every link
      and its other direction, and every unique or required value agree with them.

      Nothing is changed, not even where a store needs recovery. An application may have it open for writing; then
      one snapshot is checked. Whoever opens a closed store meanwhile waits until its pages are checked.

      The exit code is 0 for a sound store and 1 for any other.
      """,
    operands: [.store],
    options: [],
    examples: [Example(line: "swiftsync verify app.store", purpose: "see whether a backup is good")])

  let store: String

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let verification = try StoreVerification(of: store)
    try verification.writeText(to: output)
    let count = verification.problemCount
    if count > 0 { throw UnsoundStore(path: store, problemCount: count) }
  }
}

/// A store in which something is wrong.
struct UnsoundStore: Error, Equatable, CustomStringConvertible {
  let path: String
  let problemCount: Int

  var description: String {
    problemCount == 1
      ? "The store '\(path)' has a problem." : "The store '\(path)' has \(problemCount) problems."
  }
}
