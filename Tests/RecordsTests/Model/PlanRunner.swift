import TestSupport

@testable import Records

/// Makes the operations of a plan in a record store, and notes what differs from what the model said.
struct PlanRunner {
  let transaction: RecordTransaction
  private(set) var complaints: [String] = []
  private var builders: [String: ReusedBuilder] = [:]

  init(_ transaction: RecordTransaction) {
    self.transaction = transaction
  }

  struct Aborted: Error {}

  /// - Throws: What ends the transaction.
  mutating func run(_ plan: Plan) throws {
    for (operation, expected) in zip(plan.operations, plan.outcomes) {
      do {
        let outcome = try run(operation)
        // A link to a row that does not exist may be found at once or at the end.
        if outcome != expected, plan.ending != .noSuchRow {
          complaints.append("\(operation) gave \(outcome), expected \(expected)")
        }
      } catch {
        guard let outcome = Outcome(error) else { throw error }
        if outcome != expected, plan.ending == .noSuchRow { throw error }
        if outcome != expected { complaints.append("\(operation) threw \(error), expected \(expected)") }
        if outcome.endsTransaction { throw error }
      }
    }
    if plan.ending == .abort { throw Aborted() }
  }

  private mutating func run(_ operation: Operation) throws -> Outcome {
    switch operation {
    case .insert(let entity, let values, let links):
      let entity = try transaction.entity(entity)
      let reused = builders[entity.name] ?? ReusedBuilder(entity.layout)
      builders[entity.name] = reused
      reused.builder.reset()
      fill(&reused.builder, of: entity, values: values, links: links.mapValues { $0 })
      return .row(try transaction.insert(&reused.builder, into: entity))
    case .update(let entity, let row, let values, let links):
      return try update(transaction.entity(entity), row, values: values, links: links)
    case .delete(let entity, let row):
      return .isDone(try transaction.delete(row, of: transaction.entity(entity)))
    case .setMembers(let entity, let relationship, let owner, let members):
      return .isDone(
        try !transaction.setMembers(of: transaction.relationship(entity, relationship), owner: owner, to: members)
          .isEmpty)
    case .insertMembers(let entity, let relationship, let owner, let members):
      return .isDone(
        try transaction.insertMembers(members, of: transaction.relationship(entity, relationship), owner: owner))
    case .removeMembers(let entity, let relationship, let owner, let members):
      return .isDone(
        try transaction.removeMembers(members, of: transaction.relationship(entity, relationship), owner: owner))
    case .touch(let entity, let row):
      try transaction.touch(row, of: transaction.entity(entity))
      return .isDone(true)
    case .readMembers(let entity, let relationship, let owner):
      return .rows(try transaction.members(of: transaction.relationship(entity, relationship), owner: owner))
    case .lookUp(let entity, let attributes, let values):
      return .rows(try transaction.rows(where: transaction.index(entity, attributes), equals: values))
    }
  }

  private mutating func update(
    _ entity: Entity, _ row: RowNumber, values: [String: FieldValue], links: [String: RowNumber?]
  ) throws -> Outcome {
    var builder = RecordBuilder(entity.layout)
    // A row that is not there is updated nevertheless, with anything that is complete.
    if try transaction.withRecord(row, of: entity, { builder.load($0) }) == nil {
      for attribute in entity.attributes where !attribute.isOptional {
        var random = SplitMix64(seed: 0)
        builder.set(attribute.field, random.value(of: attribute.type))
      }
    }
    fill(&builder, of: entity, values: values, links: links)
    let changed = try transaction.update(row, of: entity, with: &builder)
    return .changed(changed.map { entity.names(of: $0) } ?? [])
  }

  private func fill(
    _ builder: inout RecordBuilder, of entity: Entity, values: [String: FieldValue], links: [String: RowNumber?]
  ) {
    for attribute in entity.attributes {
      if let value = values[attribute.name] { builder.set(attribute.field, value) }
    }
    for relationship in entity.relationships {
      if let field = relationship.field, let target = links[relationship.name] { builder.setRow(field, target) }
    }
  }
}

extension Entity {
  func names(of properties: PropertySet) -> Set<String> {
    let names = attributes.map(\.name) + relationships.map(\.name)
    return Set(properties.members.map { names[$0] })
  }
}

extension RecordSnapshot {
  struct NoSuchIndex: Error {}

  func index(_ entity: String, _ attributes: [String]) throws -> Index {
    guard let index = try self.entity(entity).indexes.first(where: { $0.attributes.map(\.name) == attributes }) else {
      throw NoSuchIndex()
    }
    return index
  }
}

/// A builder that one row after another is made with.
private final class ReusedBuilder {
  var builder: RecordBuilder

  init(_ layout: RecordLayout) {
    builder = RecordBuilder(layout)
  }
}
