import KeyValueStore

/// `swiftsync log`: the commits that are in the write-ahead log.
struct LogCommand: Command {
  static let limit = Option<RowLimit>(name: "--limit", placeholder: "N", help: "At most N commits.")
  static let format = Option<RowFormat>(
    name: "--format", placeholder: "F", help: "text (default), json, or ndjson: one JSON object a line.")

  static let syntax = CommandSyntax(
    name: "log",
    summary: "Show the commits in the write-ahead log.",
    discussion: """
      Show the commits that the log has behind the newest checkpoint: what the next opening would apply if the application
      died now. Each is shown with its place, its size, and its changes of tables: docs/on-disk-format.md says what they are.

      Nothing is changed and nobody waits, whether or not an application has the store open.
      """,
    operands: [.store],
    options: [limit, format],
    examples: [Example(line: "swiftsync log app.store --limit 3", purpose: "look at the oldest commits of a log")])

  let store: String
  let limit: Int
  let format: RowFormat

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    limit = try arguments.value(of: Self.limit)?.count ?? .max
    format = try arguments.value(of: Self.format) ?? .text
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    Supervisor.noteActivity("reading its log")
    var document = LogDocument(format, to: output)
    var count = 0
    let outline = try Environment.readLog(at: store) { commit, operations in
      try Interruption.check()
      count += 1
      if count <= limit { try document.write(commit, operations) }
    }
    try document.finish(outline, commits: count)
  }
}
