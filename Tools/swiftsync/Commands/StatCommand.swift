/// `swiftsync stat`: what the space of a store is used for.
struct StatCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case text, json
  }

  static let format = Option<Format>(name: "--format", placeholder: "F", help: "text (default) or json.")

  static let syntax = CommandSyntax(
    name: "stat",
    summary: "Count pages, and say what uses them, and who keeps them.",
    discussion: """
      Count the pages of a store: those that hold something, those that are free, and those that can't be used again yet. Show
      how much the log has since the newest checkpoint, who has a snapshot open, and what entities, indexes and links take.

      All pages are read for that; info shows what is known without.
      """,
    operands: [.store],
    options: [format],
    examples: [Example(line: "swiftsync stat app.store", purpose: "find out what takes the space")])

  let store: String
  let format: Format

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    format = try arguments.value(of: Self.format) ?? .text
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let statistics = try StoreStatistics(of: store)
    switch format {
    case .text: try statistics.writeText(to: output)
    case .json: try statistics.writeJSON(to: output)
    }
  }
}
