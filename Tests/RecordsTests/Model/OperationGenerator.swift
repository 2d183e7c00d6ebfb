import TestSupport

@testable import Records

/// Makes up transactions: operations that the schema allows, on rows that the model has, and a few that must fail.
struct OperationGenerator {
  private var random: SplitMix64
  /// What must not be followed to the end in every transaction: rows that do not exist cost the whole transaction.
  private var mayDangle = false

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Plans a transaction and makes it in the model, which is left as the store must be afterwards.
  mutating func plan(_ model: inout ModelStore, operationsMax: Int) -> Plan {
    var plan = Plan()
    var working = model
    working.beginTransaction()
    mayDangle = random.chance(5)
    for _ in 0..<(1 + random.below(operationsMax)) {
      guard let operation = operation(in: working) else { continue }
      let outcome = working.run(operation)
      plan.operations.append(operation)
      plan.outcomes.append(outcome)
      if outcome.endsTransaction || working.hasDanglingLink { break }
    }
    let isLost = working.hasDanglingLink || plan.outcomes.last?.endsTransaction == true
    if !isLost, random.chance(70) { repair(&working, &plan) }
    plan.ending =
      if working.hasDanglingLink {
        .noSuchRow
      } else if working.hasConflict {
        .conflict
      } else if random.chance(8) {
        .abort
      } else {
        working.refusal.map { .refused($0) } ?? .commit
      }
    if plan.ending == .commit { model = working }
    return plan
  }

  /// Deletes rows that are in the way of deletions, and deletes those that are without a required destination or gives them
  /// one.
  private mutating func repair(_ model: inout ModelStore, _ plan: inout Plan) {
    // A one-to-one link that is taken from another row leaves that one without.
    for _ in 0..<20 {
      let blockers = model.blockers
      if let blocker = random.pick(blockers) {
        let operation = Operation.delete(entity: blocker.entity, row: blocker.number)
        plan.operations.append(operation)
        plan.outcomes.append(model.run(operation))
        continue
      }
      guard let vacancy = random.pick(model.vacancies),
        let relationship = model.description(vacancy.entity, vacancy.relationship)
      else { return }
      let target = row(of: relationship.destination, in: model, mayDangle: false)
      let inverse = model.inverse(vacancy.entity, vacancy.relationship)
      let operation: Operation =
        if let target, let inverse, inverse.isToMany, random.chance(30) {
          .insertMembers(
            entity: relationship.destination, relationship: inverse.name, owner: target, members: [vacancy.row])
        } else if let target, random.chance(50) {
          .update(entity: vacancy.entity, row: vacancy.row, values: [:], links: [vacancy.relationship: target])
        } else {
          .delete(entity: vacancy.entity, row: vacancy.row)
        }
      plan.operations.append(operation)
      plan.outcomes.append(model.run(operation))
    }
  }

  private mutating func operation(in model: ModelStore) -> Operation? {
    guard let entity = random.pick(model.schema.entities) else { return nil }
    let name = entity.name
    let rows = model.rows[name] ?? [:]
    let kind = random.below(100)
    if rows.isEmpty || kind < 22 && rows.count < 8 {
      return .insert(entity: name, values: values(of: entity, in: model), links: links(of: entity, in: model))
    }
    guard let row = row(of: name, in: model) else { return nil }
    switch kind {
    case ..<42: return update(row, of: entity, in: model)
    case ..<50: return .delete(entity: name, row: row)
    case ..<53: return .touch(entity: name, row: row)
    case ..<60: return lookUp(in: entity, model)
    default:
      guard let relationship = random.pick(entity.relationships.filter(\.isToMany)),
        // A transaction whose owner does not exist would be lost as well, but not be foreseen by the model.
        rows[row] != nil
      else { return nil }
      let members = (0..<random.below(5)).compactMap { _ in
        self.row(of: relationship.destination, in: model, mayDangle: mayDangle)
      }
      return switch kind {
      case ..<75: .setMembers(entity: name, relationship: relationship.name, owner: row, members: members)
      case ..<85: .insertMembers(entity: name, relationship: relationship.name, owner: row, members: members)
      case ..<93: .removeMembers(entity: name, relationship: relationship.name, owner: row, members: members)
      default: .readMembers(entity: name, relationship: relationship.name, owner: row)
      }
    }
  }

  private mutating func update(_ row: RowNumber, of entity: EntityDescription, in model: ModelStore) -> Operation {
    var changed: [String: FieldValue] = [:]
    for attribute in entity.attributes where random.chance(35) { changed[attribute.name] = value(of: attribute) }
    var linked: [String: RowNumber?] = [:]
    for relationship in entity.relationships where !relationship.isToMany && random.chance(30) {
      linked[relationship.name] = .some(
        random.chance(30) ? nil : self.row(of: relationship.destination, in: model, mayDangle: mayDangle))
    }
    return .update(entity: entity.name, row: row, values: changed, links: linked)
  }

  private mutating func lookUp(in entity: EntityDescription, _ model: ModelStore) -> Operation? {
    guard let index = random.pick(entity.indexDescriptions) else { return nil }
    let rows = (model.rows[entity.name] ?? [:]).sorted { $0.key < $1.key }
    let known = random.pick(rows)?.value.values
    let values = index.attributes.map { name -> FieldValue in
      if let known, random.chance(80) { return known[name] ?? .null }
      return entity.attributes.first { $0.name == name }.map { value(of: $0) } ?? .null
    }
    return .lookUp(entity: entity.name, attributes: index.attributes, values: values)
  }

  // MARK: Values

  private mutating func values(of entity: EntityDescription, in model: ModelStore) -> [String: FieldValue] {
    var result: [String: FieldValue] = [:]
    for attribute in entity.attributes { result[attribute.name] = value(of: attribute) }
    return result
  }

  /// Few different values, so that rows meet in indexes.
  private mutating func value(of attribute: AttributeDescription) -> FieldValue {
    if attribute.isOptional ? random.chance(25) : random.chance(1) { return .null }
    if attribute.type == .string {
      // Long ones too, which the key-value store keeps in another way, and two spellings of one text.
      let stem = random.pick(["", "é", "e\u{301}", String(repeating: "long ", count: 100)]) ?? ""
      return .string(stem + "\(random.below(20))")
    }
    return switch random.value(of: attribute.type) {
    case .int(let value) where attribute.type == .int64: .int(value % 20)
    case .uint(let value): .uint(value % 20)
    case let value: value
    }
  }

  private mutating func links(of entity: EntityDescription, in model: ModelStore) -> [String: RowNumber] {
    var result: [String: RowNumber] = [:]
    for relationship in entity.relationships where !relationship.isToMany && random.chance(50) {
      result[relationship.name] = row(of: relationship.destination, in: model, mayDangle: mayDangle)
    }
    return result
  }

  private mutating func row(of entity: String, in model: ModelStore, mayDangle: Bool = true) -> RowNumber? {
    if mayDangle, random.chance(3) { return RowNumber(rawValue: 1_000_000) }
    return random.pick((model.rows[entity] ?? [:]).keys.sorted())
  }
}
