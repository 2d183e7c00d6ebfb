import Records
import SyncEngine

/// `swiftsync get`: one row, and what its relationships lead to.
struct GetCommand: Command {
  static let entity = Operand(placeholder: "ENTITY", help: "The entity of the row.")
  static let identity = Operand(
    placeholder: "ID", help: "The row's identity, as text. Left out when --row says which.", isOptional: true)
  static let row = Option<NaturalNumber>(
    name: "--row", placeholder: "N", help: "The row with this number, for rows that have no identity.")
  static let follow = Option<String>(
    name: "--follow", placeholder: "R", help: "Print what these relationships lead to, too, as tasks.labels.")
  static let format = Option<RowFormat>(
    name: "--format", placeholder: "F", help: "text (default), json, or ndjson: one JSON object a line.")

  static let syntax = CommandSyntax(
    name: "get",
    summary: "Print one row, and what it leads to.",
    discussion: """
      Print the row of an entity that has an identity, with all attributes and relationships.

      With --follow the rows that a relationship leads to are printed behind it, and behind those what the next
      relationship leads to, each row once.
      """,
    operands: [.store, entity, identity],
    options: [row, follow, format],
    examples: [
      Example(line: "swiftsync get app.store Project site --follow tasks", purpose: "a project with its tasks"),
      Example(line: "swiftsync get app.store Note --row 3", purpose: "a row that has no identity"),
    ])

  let store: String
  let entity: String
  let identity: String?
  let row: Int?
  let path: [String]
  let format: RowFormat

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    entity = try arguments.operand(Self.entity)
    identity = arguments.optional(Self.identity)
    row = try arguments.value(of: Self.row)?.value
    path = try arguments.value(of: Self.follow)?.split(separator: ".").map(String.init) ?? []
    format = try arguments.value(of: Self.format) ?? .text
    if (identity == nil) == (row == nil) { throw .operandMissing("ID, or a --row,", command: Self.name) }
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    try store.read { snapshot in
      guard var entity = try snapshot.catalog.entities(named: entity).first else { return }
      let reader = StoreReader(snapshot: snapshot)
      var printer = RowPrinter(format, to: output)
      var rows = [try find(entity, snapshot)]
      try print(rows, of: entity, reader, &printer)
      for name in path {
        guard let relationship = entity.relationship(named: name),
          let next = snapshot.catalog[relationship.destination]
        else { throw UnknownProperty(name: name, entity: entity, known: entity.relationships.map(\.name)) }
        var seen: Set<RowNumber> = []
        rows = try rows.flatMap { row in
          relationship.isToMany
            ? try snapshot.members(of: relationship, owner: row)
            : try snapshot.destination(of: relationship, row: row).map { [$0] } ?? []
        }.filter { seen.insert($0).inserted }
        entity = next
        try print(rows, of: entity, reader, &printer)
      }
      try printer.finish()
    }
  }

  private func find(_ entity: Entity, _ snapshot: RecordSnapshot) throws -> RowNumber {
    if let row {
      let number = RowNumber(rawValue: UInt64(row))
      guard try snapshot.contains(number, of: entity) else { throw NoSuchRow(entity: entity.name, row: "\(row)") }
      return number
    }
    guard let attribute = entity.identity, let index = entity.identityIndex, let identity else {
      throw NoIdentity(entity: entity.name)
    }
    guard let value = NativeCoercion.convert(identity, to: attribute.type), value.isWhole else {
      throw NoSuchIdentity(entity: entity.name, attribute: attribute, text: identity, isReadable: false)
    }
    let rows = try snapshot.rows(where: index, equals: [value.field])
    guard let first = rows.first else {
      throw NoSuchIdentity(entity: entity.name, attribute: attribute, text: identity, isReadable: true)
    }
    if rows.count > 1 { throw AmbiguousIdentity(entity: entity.name, text: identity, rows: rows) }
    return first
  }

  private func print(
    _ rows: [RowNumber], of entity: Entity, _ reader: StoreReader, _ printer: inout RowPrinter
  ) throws {
    for number in rows {
      guard let row = try reader.row(number, of: entity, properties: entity.properties) else {
        throw NoSuchRow(entity: entity.name, row: "\(number.rawValue)")
      }
      try printer.print(row)
    }
  }
}
