import Records
import SyncEngine

/// `swiftsync history`: what transactions have changed, and who reads that.
struct HistoryCommand: Command {
  static let since = Option<NaturalNumber>(
    name: "--since", placeholder: "T", help: "Only transactions behind the one with this number.")
  static let author = Option<String>(name: "--author", placeholder: "A", help: "Only transactions of this author.")
  static let entity = Option<String>(name: "--entity", placeholder: "E", help: "Only changes of rows of this entity.")
  static let limit = Option<RowLimit>(name: "--limit", placeholder: "N", help: "At most N transactions.")
  static let consumers = Flag(
    name: "--consumers", help: "Print who reads the history, and how far, and not the history.")
  static let format = Option<RowFormat>(
    name: "--format", placeholder: "F", help: "text (default), json, or ndjson: one JSON object a line.")

  static let syntax = CommandSyntax(
    name: "history",
    summary: "Show what transactions have changed.",
    discussion: """
      Show the transactions that the history of a store has kept, the oldest first: when they were made, by which author and
      program, and which rows they have inserted, updated and deleted. Rows are named by their numbers: get --row shows them.
      """,
    operands: [.store],
    options: [since, author, entity, limit, consumers, format],
    examples: [
      Example(line: "swiftsync history app.store --since 120 --entity Task", purpose: "what has happened to tasks"),
      Example(line: "swiftsync history app.store --consumers", purpose: "for whom it is kept"),
    ])

  let store: String
  let since: HistoryToken?
  let author: String?
  let entity: String?
  let limit: Int
  let showsConsumers: Bool
  let format: RowFormat

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    since = try arguments.value(of: Self.since).map { HistoryToken(rawValue: UInt64($0.value)) }
    author = try arguments.value(of: Self.author)
    entity = try arguments.value(of: Self.entity)
    limit = try arguments.value(of: Self.limit)?.count ?? .max
    showsConsumers = arguments.contains(Self.consumers)
    format = try arguments.value(of: Self.format) ?? .text
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    try store.read { snapshot in
      if showsConsumers { return try writeConsumers(snapshot, to: output) }
      let entity = try entity.flatMap { try snapshot.catalog.entities(named: $0).first }
      var document = ChangeDocument(format, of: entity, in: snapshot.catalog, to: output)
      var count = 0
      try snapshot.forEachTransaction(after: since) { transaction in
        try Interruption.check()
        if count == limit { return .stop }
        let changes = transaction.changes(snapshot.catalog)
        if let author, transaction.author != author { return .continue }
        if !document.isOfInterest(changes) { return .continue }
        count += 1
        try document.write(changes, writer: transaction.writer)
        return .continue
      }
      try document.finish()
    }
  }

  private func writeConsumers(_ snapshot: RecordSnapshot, to output: StandardOutput) throws {
    let last = try snapshot.lastHistoryToken()
    var table = TextTable(alignments: [.left, .right, .right])
    table.add(["Consumer", "Has seen", "Behind", "Last heard of"])
    for consumer in try snapshot.historyConsumers() {
      table.add([
        consumer.name, "\(consumer.token.rawValue)", "\(last.rawValue - min(consumer.token.rawValue, last.rawValue))",
        DateFormat.text(of: consumer.timestamp.timeIntervalSinceReferenceDate),
      ])
    }
    for line in table.lines { try output.writeLine(line) }
    try output.writeLine(
      "The history has transactions from \(try snapshot.oldestHistoryToken().rawValue + 1) to \(last.rawValue).")
  }
}
