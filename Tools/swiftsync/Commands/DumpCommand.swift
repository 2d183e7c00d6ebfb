import Records

/// `swiftsync dump`: the rows of a store.
struct DumpCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case text, json, ndjson
  }

  static let entity = Option<String>(name: "--entity", placeholder: "E", help: "Only the rows of this entity.")
  static let format = Option<Format>(
    name: "--format", placeholder: "F", help: "text (default), json, or ndjson: one JSON object a line.")
  static let limit = Option<RowLimit>(name: "--limit", placeholder: "N", help: "At most N rows of each entity.")

  static let syntax = CommandSyntax(
    name: "dump",
    summary: "Print the rows with all their values.",
    discussion: """
      Print the rows of a store in the order of their row numbers, with all attributes and relationships.

      A relationship is shown by the identities of the rows that it leads to, or by their row numbers where they have no
      identity of their own.
      """,
    operands: [.store],
    options: [entity, format, limit],
    examples: [
      Example(line: "swiftsync dump app.store --entity Task --limit 10", purpose: "look at a few tasks"),
      Example(line: "swiftsync dump app.store --entity Task --format ndjson | grep overdue", purpose: "search them"),
    ])

  let store: String
  let entity: String?
  let format: Format
  let limit: Int?

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    entity = try arguments.value(of: Self.entity)
    format = try arguments.value(of: Self.format) ?? .text
    limit = try arguments.value(of: Self.limit)?.count
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    let entities = try store.catalog.entities(named: entity)
    try store.read { snapshot in
      let dump = Dump(reader: StoreReader(snapshot: snapshot), entities: entities, limit: limit)
      switch format {
      case .text: try dump.writeText(to: output)
      case .json: try dump.writeJSON(to: output)
      case .ndjson: try dump.writeLines(to: output)
      }
    }
  }
}
