import Records
import SyncEngine

/// `swiftsync export`: the whole content of a store as snapshot JSON.
struct ExportCommand: Command {
  static let syntax = CommandSyntax(
    name: "export",
    summary: "Write the whole content as JSON that can be compared.",
    discussion: """
      Write a snapshot of a store as JSON: its schema and all of its rows, one row a line.

      Stores of equal content give equal bytes: entities and properties are sorted by name, rows by identity, and
      relationships are written as the identities of the rows that they lead to. docs/command-line.md has the format.
      """,
    operands: [.store],
    options: [],
    examples: [Example(line: "swiftsync export app.store > before.json", purpose: "keep a snapshot to compare with")])

  let store: String

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    try store.read { snapshot in
      try SnapshotDocument(snapshot).write(to: output)
    }
  }
}
