import Records

/// `swiftsync info`: what a store is and what it holds.
struct InfoCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case text, json
  }

  static let format = Option<Format>(name: "--format", placeholder: "F", help: "text (default) or json.")

  static let syntax = CommandSyntax(
    name: "info",
    summary: "Show what a store is and how much it holds.",
    discussion: """
      Show a store's identity, formats and files, the number of rows of each entity with the entries and sizes of its
      indexes and links, and the schema.

      The numbers are those that the store keeps. Nothing is counted, so this is quick for stores of any size.
      """,
    operands: [.store],
    options: [format],
    examples: [Example(line: "swiftsync info app.store", purpose: "see what a store holds")])

  let store: String
  let format: Format

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    format = try arguments.value(of: Self.format) ?? .text
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    let info = try store.read { try StoreInfo(store: store, snapshot: $0) }
    switch format {
    case .text: try info.writeText(to: output)
    case .json: try info.writeJSON(to: output)
    }
  }
}
