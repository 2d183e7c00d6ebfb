import Records
import SyncEngine

/// `swiftsync schema`: what a store describes itself to hold, in the form that is wanted.
struct SchemaCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case text, json, swift, mermaid, dot
  }

  static let format = Option<Format>(
    name: "--format", placeholder: "F",
    help: "text (default), json, swift, or a diagram: mermaid, dot (Graphviz).")

  static let syntax = CommandSyntax(
    name: "schema",
    summary: "Show the entities of a store, as text, code or a diagram.",
    discussion: """
      Show the schema that a store keeps of itself: its entities with their attributes and relationships.

      As Swift code it is the @Model classes of an application that can open the store. A diagram has a box for each
      entity and a line for each relationship.
      """,
    operands: [.store],
    options: [format],
    examples: [
      Example(line: "swiftsync schema app.store", purpose: "see what the entities are"),
      Example(line: "swiftsync schema --format dot app.store | dot -Tsvg > schema.svg", purpose: "draw them"),
    ])

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
    let schema = try store.read { $0.catalog.schema.withInverses() }
    switch format {
    case .text:
      for (position, entity) in schema.entities.enumerated() {
        if position > 0 { try output.writeLine("") }
        try SchemaText.write(entity, to: output)
      }
    case .json:
      var json = JSONWriter()
      json.write(schema)
      json.endLine()
      try output.write(String(decoding: json.bytes, as: UTF8.self))
    case .swift: for line in SwiftCode(schema).lines { try output.writeLine(line) }
    case .mermaid: for line in MermaidDiagram(schema).lines { try output.writeLine(line) }
    case .dot: for line in DotDiagram(schema).lines { try output.writeLine(line) }
    }
  }
}
