import Foundation
import Records
import SyncEngine

/// Puts the content of a snapshot into a new store, in one transaction.
///
/// The rows come first, each with its attributes. Then every row is linked, by the identities that the document has or by the
/// numbers that it gives to rows without one.
struct SnapshotImport {
  let root: PayloadValue
  let schema: StoreSchema
  private let entities: PayloadElements

  /// - Throws: `SnapshotError` for a document that is none that can be imported.
  init(_ root: PayloadValue) throws {
    guard root.member("format")?.string == SnapshotDocument.formatName, let schema = root.member("schema"),
      let version = root.member("version").flatMap({ Int($0.string) }), root.member("entities") != nil
    else { throw SnapshotError.notASnapshot }
    if version > SnapshotDocument.version { throw SnapshotError.newerVersion(version) }
    if root.member("isPartial")?.isTrue == true { throw SnapshotError.partial }
    self.root = root
    entities = try SnapshotValue.elements(root.member("entities"), at: "/entities")
    self.schema = try SnapshotSchema.read(schema)
  }

  /// - Returns: How many rows were made.
  /// - Throws: `SnapshotError`; what the transaction throws, which must not be committed then.
  func run(in transaction: RecordTransaction) throws -> Int {
    var numbers: [EntityID: [String: RowNumber]] = [:]
    var made: [[RowNumber]] = []
    for (place, content) in entities.enumerated() {
      let entity = try entity(content, at: place, transaction)
      let rows = Array(try rows(of: content, at: place))
      var own = Array(repeating: RowNumber(rawValue: 0), count: rows.count)
      for position in insertionOrder(of: rows) {
        try Interruption.check()
        let pointer = "/entities/\(place)/rows/\(position)"
        own[position] = try insert(rows[position], of: entity, at: pointer, transaction)
        if let number = rows[position].member("$row") {
          numbers[entity.id, default: [:]][number.string] = own[position]
        }
      }
      made.append(own)
    }
    for (place, content) in entities.enumerated() {
      let entity = try entity(content, at: place, transaction)
      for (position, row) in try rows(of: content, at: place).enumerated() {
        try Interruption.check()
        let pointer = "/entities/\(place)/rows/\(position)"
        try link(row, made[place][position], of: entity, at: pointer, numbers, transaction)
      }
    }
    return made.reduce(0) { $0 + $1.count }
  }

  /// The positions of rows in an order in which those without an identity of their own get the numbers again that the document has for
  /// them, where it has as many rows before them: the numbers of others don't matter.
  private func insertionOrder(of rows: [PayloadValue]) -> [Int] {
    let numbered = rows.indices.compactMap { position in
      rows[position].member("$row").flatMap { Int($0.string) }.map { (number: $0, position: position) }
    }.sorted { $0.number < $1.number }
    if numbered.isEmpty { return Array(rows.indices) }
    let isNumbered = Set(numbered.map(\.position))
    var others = rows.indices.filter { !isNumbered.contains($0) }[...]
    var order: [Int] = []
    for (number, position) in numbered {
      let missing = others.prefix(max(0, number - 1 - order.count))
      order += missing
      others = others.dropFirst(missing.count)
      order.append(position)
    }
    return order + others
  }

  private func rows(of content: PayloadValue, at place: Int) throws -> PayloadElements {
    try SnapshotValue.elements(content.member("rows"), at: "/entities/\(place)/rows")
  }

  private func entity(_ content: PayloadValue, at place: Int, _ transaction: RecordTransaction) throws -> Entity {
    guard let name = content.member("name")?.string else {
      throw SnapshotError.missing(member: "name", pointer: "/entities/\(place)")
    }
    guard let entity = transaction.catalog.entity(named: name) else {
      throw SnapshotError.missing(member: "schema of \(name)", pointer: "/schema")
    }
    return entity
  }

  // MARK: Rows

  private func insert(
    _ row: PayloadValue, of entity: Entity, at pointer: String, _ transaction: RecordTransaction
  ) throws -> RowNumber {
    guard row.kind == .object else { throw SnapshotValue.unreadable(row, at: pointer, expected: "an object") }
    var builder = RecordBuilder(entity.layout)
    for (key, value) in row.members {
      let name = key.string
      guard let attribute = entity.attribute(named: name) else {
        if name == "$row" || entity.relationship(named: name) != nil { continue }
        throw SnapshotError.unknownMember(pointer: "\(pointer)/\(name)", entity: entity.name)
      }
      if value.isNull { continue }
      guard let field = SnapshotValue.read(value, as: attribute.type), builder.set(attribute.field, field) else {
        throw SnapshotValue.unreadable(
          value, at: "\(pointer)/\(name)", expected: "a value of the type \(attribute.type.rawValue)")
      }
    }
    return try transaction.insert(&builder, into: entity)
  }

  private func link(
    _ row: PayloadValue, _ number: RowNumber, of entity: Entity, at pointer: String,
    _ numbers: [EntityID: [String: RowNumber]], _ transaction: RecordTransaction
  ) throws {
    var destinations: [(field: FieldIndex, row: RowNumber)] = []
    for relationship in entity.relationships {
      guard let value = row.member(relationship.name), !value.isNull else { continue }
      let pointer = "\(pointer)/\(relationship.name)"
      if let field = relationship.field {
        destinations.append((field, try target(value, of: relationship, at: pointer, numbers, transaction)))
        continue
      }
      let members = try SnapshotValue.elements(value, at: pointer).enumerated().map { position, member in
        try target(member, of: relationship, at: "\(pointer)/\(position)", numbers, transaction)
      }
      _ = try transaction.setMembers(of: relationship, owner: number, to: members)
    }
    if destinations.isEmpty { return }
    var builder = RecordBuilder(entity.layout)
    _ = try transaction.withRecord(number, of: entity) { builder.load($0) }
    for destination in destinations { builder.setRow(destination.field, destination.row) }
    _ = try transaction.update(number, of: entity, with: &builder)
  }

  private func target(
    _ value: PayloadValue, of relationship: Relationship, at pointer: String,
    _ numbers: [EntityID: [String: RowNumber]], _ transaction: RecordTransaction
  ) throws -> RowNumber {
    let entity = transaction.catalog[relationship.destination]
    var found: RowNumber?
    if let number = value.member("$row") {
      found = numbers[relationship.destination]?[number.string]
    } else if let attribute = entity?.identity, let index = entity?.identityIndex,
      let identity = SnapshotValue.read(value, as: attribute.type)
    {
      found = try transaction.firstRow(where: index, equals: [identity])
    }
    guard let found else {
      throw SnapshotError.unknownReference(
        pointer: pointer, entity: entity?.name ?? "", key: NativeCoercion.reportText(of: value.native))
    }
    return found
  }
}
