import Testing

@testable import Records

/// Random transactions in a store and in a model of it: after each one both hold the same, the store agrees with itself, and
/// the change set says what happened.
@Suite struct RandomOperationTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func storeAndModelAgreeAfterEveryTransaction(seed: UInt64) throws {
    let office = try Office()
    var model = ModelStore(.office)
    var generator = OperationGenerator(seed: seed)
    for step in 0..<300 {
      let before = model
      let plan = generator.plan(&model, operationsMax: step % 3 == 0 ? 1 : 8)
      try run(plan, in: office, before: before, after: model)
      let complaints = try office.read { snapshot in
        try snapshot.checkInvariants().map(\.description) + differences(between: snapshot, and: model)
      }
      try #require(complaints.isEmpty, "seed \(seed), step \(step): \(complaints) after \(plan)")
    }
  }

  private func run(_ plan: Plan, in office: Office, before: ModelStore, after: ModelStore) throws {
    do {
      let committed = try office.store.write { transaction in
        var runner = PlanRunner(transaction)
        try runner.run(plan)
        // Once in a while before the commit too, when part of the links is still buffered.
        let violations = plan.operations.count % 4 == 0 ? try transaction.checkInvariants() : []
        return runner.complaints + violations.map(\.description)
      }
      try #require(committed.result.isEmpty, "\(plan)")
      try #require(plan.ending == .commit, "\(plan)")
      try compare(committed.changes, after.changes(since: before), exactly: isSingleChange(plan, before), office)
    } catch is PlanRunner.Aborted {
      try #require(plan.ending == .abort, "\(plan)")
    } catch let error as RecordError {
      // A transaction with a link to nowhere may have a conflict too, and either may be found first.
      let endings: [Plan.Ending] =
        switch error {
        case .uniqueConflict: [.conflict, .noSuchRow]
        case .noSuchRow: [.noSuchRow]
        case .deleteDenied, .missingDestination: [.refused(error)]
        default: []
        }
      try #require(endings.contains(plan.ending), "\(error) in \(plan)")
    }
  }

  /// Whether nothing in the transaction can take back what something else in it did. One-to-one links are set one after the
  /// other, so two of them in one row can.
  private func isSingleChange(_ plan: Plan, _ model: ModelStore) -> Bool {
    guard plan.operations.count == 1, let operation = plan.operations.first else { return false }
    return switch operation {
    case .insert(let entity, _, let links): links.keys.count { model.isOneToOne(entity, $0) } < 2
    case .update(let entity, _, _, let links): links.keys.count { model.isOneToOne(entity, $0) } < 2
    default: true
    }
  }

  /// A transaction that takes a change back may report it all the same, so only a single change must be reported exactly.
  private func compare(
    _ changes: ChangeSet, _ expected: [String: ModelChanges], exactly: Bool, _ office: Office
  ) throws {
    for entity in office.store.catalog.entities {
      let expected = try #require(expected[entity.name])
      let reported = changes.entities[entity.id] ?? ChangeSet.EntityChanges()
      #expect(reported.inserted == expected.inserted)
      #expect(reported.deleted == expected.deleted)
      let updated = reported.updated.mapValues { entity.names(of: $0) }
      if exactly {
        #expect(updated == expected.updated)
      } else {
        for (row, names) in expected.updated {
          #expect(updated[row]?.isSuperset(of: names) == true, "\(entity.name) \(row): \(names)")
        }
        #expect(Set(updated.keys).isDisjoint(with: expected.inserted + expected.deleted))
      }
    }
  }

  /// Everything in which a snapshot is not what the model is.
  private func differences(between snapshot: RecordSnapshot, and model: ModelStore) throws -> [String] {
    var result: [String] = []
    for entity in snapshot.catalog.entities {
      let rows = model.rows[entity.name] ?? [:]
      var seen: [RowNumber] = []
      try snapshot.forEachRecord(of: entity) { row, record in
        seen.append(row)
        guard let expected = rows[row] else { return .continue }
        for attribute in entity.attributes
        where !ModelStore.isSameContent(record.value(attribute.field), expected.values[attribute.name] ?? .null) {
          result.append("\(entity.name) \(row).\(attribute.name) is \(record.value(attribute.field))")
        }
        return .continue
      }
      if try seen != rows.keys.sorted() || snapshot.count(of: entity) != rows.count {
        result.append("\(entity.name) has rows \(seen)")
      }
      for (row, expected) in rows {
        for relationship in entity.relationships {
          let isSame =
            try relationship.isToMany
            ? snapshot.members(of: relationship, owner: row) == expected.toMany[relationship.name] ?? []
            : snapshot.destination(of: relationship, row: row) == expected.toOne[relationship.name]
          if !isSame { result.append("\(entity.name) \(row).\(relationship.name) differs") }
        }
        for index in entity.indexes {
          let names = index.attributes.map(\.name)
          let values = names.map { expected.values[$0] ?? .null }
          if try snapshot.rows(where: index, equals: values) != model.rows(entity.name, names, equal: values) {
            result.append("\(entity.name) index \(names) differs for \(values)")
          }
        }
      }
    }
    return result
  }
}
