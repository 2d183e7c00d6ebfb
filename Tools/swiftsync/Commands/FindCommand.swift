import Records
import Sync

/// `swiftsync find`: the rows of an entity that a predicate is true of.
struct FindCommand: Command {
  static let entity = Operand(placeholder: "ENTITY", help: "The entity of the rows.")
  static let predicate = Operand(
    placeholder: "PREDICATE", help: "What is asked of them, as \"age > 20 AND name BEGINSWITH 'A'\".", isOptional: true)
  static let sort = Option<WordList>(
    name: "--sort", placeholder: "S", help: "Sort by these paths, descending where a '-' stands in front: name,-age.")
  static let limit = Option<NaturalNumber>(name: "--limit", placeholder: "N", help: "At most N rows.")
  static let offset = Option<NaturalNumber>(name: "--offset", placeholder: "N", help: "Skip N rows.")
  static let fields = Option<WordList>(
    name: "--fields", placeholder: "L", help: "Only these attributes and relationships: name,tasks.")
  static let count = Flag(name: "--count", help: "Print how many rows there are, and not the rows.")
  static let explain = Flag(name: "--explain", help: "Print how the rows are looked for, and not the rows.")
  static let format = Option<RowFormat>(
    name: "--format", placeholder: "F", help: "text (default), json, or ndjson: one JSON object a line.")

  static let syntax = CommandSyntax(
    name: "find",
    summary: "Print the rows that a predicate is true of.",
    discussion: """
      Print the rows of an entity that a predicate is true of, in the order of their numbers or of what they are sorted by.

      Predicates are written as for Core Data: docs/predicate-format.md. Indexes are used where they help; --explain says
      how, and how many rows have to be looked at.
      """,
    operands: [.store, entity, predicate],
    options: [sort, limit, offset, fields, count, explain, format],
    examples: [
      Example(
        line:
          "swiftsync find app.store Task \"isDone == NO AND project.title CONTAINS 'Web'\" --sort=-priority --limit 5",
        purpose: "the five most urgent open tasks of some projects"),
      Example(
        line: "swiftsync find app.store Task \"due < '2026-01-01'\" --explain", purpose: "whether an index is used"),
    ])

  let store: String
  let entity: String
  let predicate: String?
  let sorts: [ObjectSort]
  let limit: Int?
  let offset: Int
  let fields: [String]?
  let isCounting: Bool
  let isExplaining: Bool
  let format: RowFormat

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    entity = try arguments.operand(Self.entity)
    predicate = arguments.optional(Self.predicate)
    sorts = try (arguments.value(of: Self.sort)?.words ?? []).map { word in
      word.hasPrefix("-") ? ObjectSort(String(word.dropFirst()), ascending: false) : ObjectSort(word)
    }
    limit = try arguments.value(of: Self.limit)?.value
    offset = try arguments.value(of: Self.offset)?.value ?? 0
    fields = try arguments.value(of: Self.fields)?.words
    isCounting = arguments.contains(Self.count)
    isExplaining = arguments.contains(Self.explain)
    format = try arguments.value(of: Self.format) ?? .text
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let predicate = try predicate.map { try ObjectPredicate(format: $0) }
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    try store.read { snapshot in
      guard let entity = try snapshot.catalog.entities(named: entity).first else { return }
      let query = try StoredQuery(snapshot.catalog).query(
        entity, where: predicate, order: sorts, offset: offset, limit: limit)
      if isExplaining { return try explain(query, snapshot, to: output) }
      if isCounting { return try output.writeLine("\(snapshot.count(query))") }
      var printer = RowPrinter(format, to: output)
      let properties = try entity.properties(named: fields)
      try StoreReader(snapshot: snapshot).forEachRow(of: snapshot.plan(query), properties: properties) {
        try printer.print($0)
      }
      try printer.finish()
    }
  }

  private func explain(_ query: RecordQuery, _ snapshot: RecordSnapshot, to output: StandardOutput) throws {
    let plan = try isCounting ? snapshot.countPlan(query) : snapshot.plan(query)
    for line in plan.description.split(separator: "\n") { try output.writeLine(String(line)) }
    try output.writeLine("looks at: \(snapshot.candidateCount(of: plan)) of \(snapshot.count(of: query.entity)) rows")
    try output.writeLine("finds: \(snapshot.count(query))")
  }
}

extension Entity {
  /// The properties with some names, in the order of these; all for nil.
  ///
  /// - Throws: `UnknownProperty`.
  func properties(named names: [String]?) throws -> [Property] {
    guard let names else { return properties }
    return try names.map { name in
      guard let property = properties.first(where: { $0.name == name }) else {
        throw UnknownProperty(name: name, entity: self, known: properties.map(\.name))
      }
      return property
    }
  }
}
