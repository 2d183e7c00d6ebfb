import KeyValueStore
import Records

/// Reads the rows of one snapshot, and refuses to show a damaged store as a sound one.
///
/// Records, links and index entries carry what it takes to recognise them when they are damaged. What they cannot show is
/// that entries are missing or repeated, because a page leads to a wrong one. So rows have to come in ascending order, and
/// after the last row as many rows and links must have been seen as the store says that it has.
final class StoreReader {
  private let snapshot: RecordSnapshot
  /// The entities whose identity index is known to have all rows.
  private var entitiesWithWholeIndex: Set<EntityID> = []

  init(snapshot: RecordSnapshot) {
    self.snapshot = snapshot
  }

  enum Order {
    case number
    /// By identity, for an entity that has one; otherwise by number.
    case identity
  }

  /// Runs a closure on the rows of an entity, in an order and up to a limit, with the values of some properties.
  ///
  /// - Throws: `RecordError` for damage that an entry shows by itself, `InconsistentStore` for what only the whole shows.
  func forEachRow(
    of entity: Entity, properties: [Property], order: Order, limit: Int? = nil, _ body: (Row) throws -> Void
  ) throws {
    let limit = limit ?? .max
    // For the eye only: that the count can't be read is said at the end.
    let rowCount = (try? snapshot.count(of: entity)) ?? 0
    var line = ProgressLine("Reading \(entity.name)", isBesideData: true)
    defer { line.clear() }
    var pass = Pass(entity: entity, properties: properties)
    try forEachRecord(of: entity, order: order) { number, record in
      try Interruption.check()
      line.show(pass.rowCount, of: min(rowCount, limit))
      guard pass.rowCount < limit else {
        pass.isWhole = false
        return .stop
      }
      try body(try row(number, record, &pass))
      return .continue
    }
    guard pass.isWhole else { return }
    try check(pass)
    if order == .identity { entitiesWithWholeIndex.insert(entity.id) }
    try checkIdentities(of: [entity] + pass.destinations.compactMap { snapshot.catalog[$0] })
  }

  /// Runs a closure on the rows of a query, in its order. What is missing in a damaged store does not show here.
  ///
  /// - Throws: `RecordError` and `QueryError`; `InconsistentStore` for a link that leads nowhere.
  func forEachRow(of plan: QueryPlan, properties: [Property], _ body: (Row) throws -> Void) throws {
    var pass = Pass(entity: plan.query.entity, properties: properties)
    try snapshot.run(plan) { number, record in
      try Interruption.check()
      try body(try row(number, record, &pass))
      return .continue
    }
  }

  /// The row with a number; nil if there is none.
  func row(_ number: RowNumber, of entity: Entity, properties: [Property]) throws -> Row? {
    var pass = Pass(entity: entity, properties: properties)
    return try snapshot.withRecord(number, of: entity) { try row(number, $0, &pass) }
  }

  // MARK: - One row

  /// What a pass over an entity's rows has seen.
  private struct Pass {
    let entity: Entity
    let properties: [Property]
    var rowCount = 0
    /// By the position of the relationship's property.
    var linkCounts: [Int]
    var isWhole = true

    var destinations: Set<EntityID> {
      Set(
        properties.compactMap { property in
          if case .relationship(let relationship) = property { relationship.destination } else { nil }
        })
    }

    init(entity: Entity, properties: [Property]) {
      self.entity = entity
      self.properties = properties
      linkCounts = Array(repeating: 0, count: properties.count)
    }
  }

  private func row(_ number: RowNumber, _ record: RecordView, _ pass: inout Pass) throws -> Row {
    pass.rowCount += 1
    let properties = try pass.properties.indices.map { position in
      (pass.properties[position], try value(of: position, number, record, &pass))
    }
    return Row(
      entity: pass.entity, number: number, reference: try reference(to: number, record, of: pass.entity),
      properties: properties)
  }

  private func value(
    of position: Int, _ number: RowNumber, _ record: RecordView, _ pass: inout Pass
  ) throws -> PropertyValue {
    switch pass.properties[position] {
    case .attribute(let attribute):
      return .attribute(try snapshot.value(attribute.field, of: record, row: number, pass.entity))
    case .relationship(let relationship):
      if let field = relationship.field {
        return .toOne(try record.row(field).map { try reference(to: $0, along: relationship, from: number) })
      }
      let members = try snapshot.members(of: relationship, owner: number)
      pass.linkCounts[position] += members.count
      return .toMany(try members.map { try reference(to: $0, along: relationship, from: number) })
    }
  }

  private func reference(
    to destination: RowNumber, along relationship: Relationship, from row: RowNumber
  ) throws -> RowReference {
    let reference = try snapshot.catalog[relationship.destination].flatMap { entity in
      try snapshot.withRecord(destination, of: entity) { try self.reference(to: destination, $0, of: entity) }
    }
    guard let reference else {
      throw InconsistentStore.linkToNowhere(
        relationship: "\(snapshot.catalog[relationship.entity]?.name ?? "").\(relationship.name)", row: row,
        destination: destination)
    }
    return reference
  }

  private func reference(to row: RowNumber, _ record: RecordView, of entity: Entity) throws -> RowReference {
    guard let identity = entity.identity, let index = entity.identityIndex, !record.isNull(identity.field) else {
      return .row(row)
    }
    let value = record.value(identity.field)
    if index.isUnique { return .identity(value) }
    return try snapshot.rows(where: index, equals: [value]).count == 1 ? .identity(value) : .row(row)
  }

  // MARK: - All rows

  private func forEachRecord(
    of entity: Entity, order: Order, _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    do {
      if order == .identity, let index = entity.identityIndex {
        return try snapshot.forEachRecord(of: entity, inOrderOf: index, body)
      }
      var previous: RowNumber?
      try snapshot.forEachRecord(of: entity) { number, record in
        if let previous, previous >= number {
          throw InconsistentStore.outOfOrder(entity: entity.name, row: number)
        }
        previous = number
        return try body(number, record)
      }
    } catch RecordError.damagedEntry(let table) {
      throw InconsistentStore.damagedEntry(entity: entity.name, table: table)
    }
  }

  /// Checks that no row is missing in the index of an identity that is not unique: whether another row has the same identity
  /// is known from there.
  private func checkIdentities(of entities: [Entity]) throws {
    for entity in entities where !entitiesWithWholeIndex.contains(entity.id) {
      guard let index = entity.identityIndex, !index.isUnique else { continue }
      var found = 0
      try forEachRecord(of: entity, order: .identity) { _, _ in
        try Interruption.check()
        found += 1
        return .continue
      }
      let expected = try snapshot.count(of: entity)
      guard found == expected else {
        throw InconsistentStore.indexEntriesMissing(entity: entity.name, found: found, expected: expected)
      }
      entitiesWithWholeIndex.insert(entity.id)
    }
  }

  private func check(_ pass: Pass) throws {
    let rowCount = try snapshot.count(of: pass.entity)
    guard pass.rowCount == rowCount else {
      throw InconsistentStore.rowsMissing(entity: pass.entity.name, found: pass.rowCount, expected: rowCount)
    }
    for (property, found) in zip(pass.properties, pass.linkCounts) {
      guard case .relationship(let relationship) = property, relationship.isToMany else { continue }
      let expected = try snapshot.linkCount(of: relationship)
      guard found == expected else {
        throw InconsistentStore.linksMissing(
          relationship: "\(pass.entity.name).\(relationship.name)", found: found, expected: expected)
      }
    }
  }
}
