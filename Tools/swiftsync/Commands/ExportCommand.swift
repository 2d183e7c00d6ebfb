import Records
import Sync
import SyncEngine

/// `swiftsync export`: the whole content of a store as snapshot JSON.
struct ExportCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case json, ndjson
  }

  static let entity = Option<String>(name: "--entity", placeholder: "E", help: "Only the rows of this entity.")
  static let predicate = Option<String>(
    name: "--where", placeholder: "P", help: "Only rows that this predicate is true of. Needs --entity.")
  static let format = Option<Format>(
    name: "--format", placeholder: "F", help: "json (default), or ndjson: one JSON object a line, without the schema.")

  static let syntax = CommandSyntax(
    name: "export",
    summary: "Write the whole content as JSON that can be compared.",
    discussion: """
      Write a snapshot of a store as JSON: its schema and all of its rows, one row a line.

      Stores of equal content give equal bytes: entities and properties are sorted by name, rows by identity, and
      relationships are written as the identities of the rows that they lead to. docs/command-line.md has the format.
      """,
    operands: [.store],
    options: [entity, predicate, format],
    examples: [
      Example(line: "swiftsync export app.store > before.json", purpose: "keep a snapshot to compare with"),
      Example(
        line: "swiftsync export app.store --entity Task --where \"isDone == YES\" --format ndjson",
        purpose: "hand some rows to another program"),
    ])

  let store: String
  let entity: String?
  let predicate: String?
  let format: Format

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    entity = try arguments.value(of: Self.entity)
    predicate = try arguments.value(of: Self.predicate)
    format = try arguments.value(of: Self.format) ?? .json
    if predicate != nil, entity == nil { throw .optionMissing(Self.entity.name, command: Self.name) }
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    let predicate = try predicate.map { try ObjectPredicate(format: $0) }
    try store.read { snapshot in
      let entity = try entity.flatMap { try snapshot.catalog.entities(named: $0).first }
      let document = try SnapshotDocument(snapshot, of: entity, where: predicate)
      switch format {
      case .json: try document.write(to: output)
      case .ndjson: try document.writeLines(to: output)
      }
    }
  }
}
