import FoundationEssentials
import TestSupport
import Testing

@testable import Records

/// Random transactions of local and inbound authors, and random answers, in a store and in a model of what is kept.
@Suite struct RandomPushTests {
  /// The office, with people and teams whose local changes are kept.
  private static let schema: StoreSchema = {
    var schema = StoreSchema.office
    for entity in schema.entities.indices {
      for attribute in schema.entities[entity].attributes.indices
      where ["Person", "Team"].contains(schema.entities[entity].name)
        && schema.entities[entity].attributes[attribute].name == schema.entities[entity].identity
      {
        schema.entities[entity].attributes[attribute].options.insert(.preserveValueOnDeletion)
      }
    }
    return schema
  }()

  /// What is to be kept of a row.
  private struct Expected: Equatable {
    var isInserted = false
    var isHandedOut = false
    var isDeleted = false
    var first: HistoryToken
    var last: HistoryToken
    var changed: Set<String> = []
    /// Nil for a row that was made here.
    var base: ModelStore.Row?
    /// What was changed by which transaction.
    var log: [(token: HistoryToken, changed: Set<String>)] = []

    static func == (left: Expected, right: Expected) -> Bool {
      left.isInserted == right.isInserted && left.isHandedOut == right.isHandedOut
        && left.isDeleted == right.isDeleted && left.first == right.first && left.last == right.last
        && left.changed == right.changed
    }
  }

  private struct Place: Hashable {
    var entity: String
    var row: RowNumber
  }

  /// Rows that were read to be sent.
  private struct Batch {
    var token: HistoryToken
    var rows: [Place: Record?]
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func storeKeepsWhatTheModelKeeps(seed: UInt64) throws {
    let office = try Office(Self.schema)
    var model = ModelStore(Self.schema)
    var generator = OperationGenerator(seed: seed)
    var random = SplitMix64(seed: seed &+ 1000)
    var expected: [Place: Expected] = [:]
    var batch: Batch?
    for step in 0..<250 {
      let before = model
      let plan = generator.plan(&model, operationsMax: 5)
      let author = random.chance(35) ? InboundAuthor.name : random.chance(30) ? "widget" : nil
      if let changes = try run(plan, by: author, in: office) { note(changes, before, &expected, office) }
      if batch == nil, random.chance(20) {
        batch = try hand(out: &expected, &random, office)
      } else if let open = batch, random.chance(30) {
        try settle(open, &expected, &random, office)
        batch = nil
      }
      let kept = try office.read { snapshot in try self.kept(in: snapshot, expected) }
      let wrong = Set(kept.keys).union(expected.keys).filter { kept[$0] != expected[$0] }
      for place in wrong { Issue.record("\(place): \(kept[place] as Any), and not \(expected[place] as Any)") }
      try #require(wrong.isEmpty, "seed \(seed), step \(step)")
      try #require(try office.read { try $0.checkInvariants() } == [], "seed \(seed), step \(step)")
    }
    #expect(!expected.isEmpty)
  }

  private func run(_ plan: Plan, by author: String?, in office: Office) throws -> ChangeSet? {
    do {
      return try office.store.write(author: author) { transaction in
        var runner = PlanRunner(transaction)
        try runner.run(plan)
      }.changes
    } catch is PlanRunner.Aborted {
      return nil
    } catch is RecordError {
      return nil
    }
  }

  private func note(_ changes: ChangeSet, _ before: ModelStore, _ expected: inout [Place: Expected], _ office: Office) {
    guard let token = changes.token else { return }
    let isInbound = changes.author == InboundAuthor.name
    for entity in office.store.catalog.offlineEntities {
      guard let rows = changes.entities[entity.id] else { continue }
      func place(_ row: RowNumber) -> Place { Place(entity: entity.name, row: row) }
      func known(_ row: RowNumber) -> Expected {
        expected[place(row)] ?? Expected(first: token, last: token, base: before.row(row, of: entity.name))
      }
      if isInbound {
        for row in rows.deleted { expected[place(row)] = nil }
        continue
      }
      for row in rows.inserted { expected[place(row)] = Expected(isInserted: true, first: token, last: token) }
      for (row, properties) in rows.updated {
        guard let properties = office.store.catalog.told(properties, of: entity) else { continue }
        var entry = known(row)
        entry.last = token
        entry.changed.formUnion(entity.names(of: properties))
        entry.log.append((token, entity.names(of: properties)))
        expected[place(row)] = entry
      }
      for row in rows.deleted {
        var entry = known(row)
        entry.last = token
        entry.isDeleted = true
        entry.log.append((token, []))
        let identity = entity.identity.flatMap { before.row(row, of: entity.name)?.values[$0.name] } ?? .null
        expected[place(row)] = (entry.isInserted && !entry.isHandedOut) || identity == .null ? nil : entry
      }
    }
  }

  /// Of some rows not all that was changed is sent: as if some had been changed back.
  private func hand(
    out expected: inout [Place: Expected], _ random: inout SplitMix64, _ office: Office
  ) throws -> Batch {
    let places = expected.keys.sorted { ($0.entity, $0.row) < ($1.entity, $1.row) }
    let isWhole = places.map { _ in random.chance(50) }
    let batch = try office.store.write { transaction in
      var rows: [Place: Record?] = [:]
      let token = try transaction.lastHistoryToken()
      for (place, isWhole) in zip(places, isWhole) {
        let entity = try transaction.entity(place.entity)
        rows.updateValue(try transaction.record(place.row, of: entity), forKey: place)
        let changed = try transaction.pushEntry(of: place.row, entity)?.changed ?? PropertySet()
        let sent = isWhole ? changed : PropertySet(changed.members.prefix(1))
        try transaction.noteHandedOut([(place.row, sent)], of: entity, through: token)
      }
      return (rows, token)
    }.result
    for (place, isWhole) in zip(places, isWhole) {
      guard var entry = expected[place], !entry.isDeleted, !entry.isHandedOut else { continue }
      entry.isHandedOut = true
      if !entry.isInserted, !isWhole, !entry.changed.isEmpty {
        let entity = try #require(office.store.catalog.entity(named: place.entity))
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        entry.changed = [try #require(names.first(where: entry.changed.contains))]
      }
      expected[place] = entry
    }
    return Batch(token: batch.1, rows: batch.0)
  }

  private func settle(
    _ batch: Batch, _ expected: inout [Place: Expected], _ random: inout SplitMix64, _ office: Office
  ) throws {
    let answered = batch.rows.keys.sorted { ($0.entity, $0.row) < ($1.entity, $1.row) }.filter { _ in random.chance(60)
    }
    for entity in office.store.catalog.offlineEntities {
      let places = answered.filter { $0.entity == entity.name }
      try office.store.write { transaction in
        let answers = places.map { PushAnswer($0.row, .taken, sent: batch.rows[$0] ?? nil) }
        _ = try transaction.settlePush(answers, of: entity, through: batch.token, now: Date())
      }
      for place in places {
        guard var entry = expected[place] else { continue }
        if entry.last <= batch.token {
          expected[place] = nil
          continue
        }
        let later = entry.log.filter { $0.token > batch.token }
        entry.isInserted = false
        entry.isHandedOut = false
        entry.first = try #require(later.first?.token)
        entry.changed = later.reduce([]) { $0.union($1.changed) }
        if let sent = batch.rows[place] ?? nil { entry.base = row(sent, of: entity) }
        expected[place] = entry
      }
    }
  }

  /// What the store keeps; the parts that are not compared are those of the model. Bases are compared on the way.
  private func kept(in snapshot: RecordSnapshot, _ expected: [Place: Expected]) throws -> [Place: Expected] {
    var result: [Place: Expected] = [:]
    for entity in snapshot.catalog.offlineEntities {
      for entry in try snapshot.pushEntries(of: entity) {
        let place = Place(entity: entity.name, row: entry.row)
        result[place] = Expected(
          isInserted: entry.isInserted, isHandedOut: entry.isHandedOut, isDeleted: entry.isDeleted,
          first: entry.first, last: entry.last, changed: entity.names(of: entry.changed))
        let base = try snapshot.pushBase(of: entry.row, entity)
        guard let expected = expected[place]?.base else {
          #expect(base == nil, "\(place) \(expected[place] as Any)")
          continue
        }
        for attribute in entity.attributes {
          let value = try #require(base?.value(of: attribute.propertyIndex, entity))
          #expect(ModelStore.isSameContent(value, expected.values[attribute.name] ?? .null))
        }
        for relationship in entity.relationships where !relationship.isToMany {
          let row = expected.toOne[relationship.name].map { FieldValue.uint($0.rawValue) } ?? .null
          #expect(base?.value(of: relationship.propertyIndex, entity) == row)
        }
      }
    }
    return result
  }

  private func row(_ record: Record, of entity: Entity) -> ModelStore.Row {
    var row = ModelStore.Row()
    for attribute in entity.attributes { row.values[attribute.name] = record.value(attribute.field) }
    for relationship in entity.relationships {
      if let field = relationship.field, case .uint(let number) = record.value(field) {
        row.toOne[relationship.name] = RowNumber(rawValue: number)
      }
    }
    return row
  }
}
