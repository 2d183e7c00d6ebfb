import Records

/// Checks what a sync leaves against what the model says of whole objects: how many objects their relationships lead to, and the
/// bounds of their primary keys. Attributes are checked as they are read.
struct ObjectCheck: Sendable {
  /// What there is to check of one entity's objects.
  private struct Rules: Sendable {
    let entity: String
    let key: (stored: String, bounds: ValueBounds)?
    let relationships: [(stored: String, description: RelationshipDescription)]
  }

  /// By the names of the store's entities, and those of the model's. Few models have any.
  private let rules: [String: [String: Rules]]

  init(_ model: ManagedObjectModel) {
    var rules: [String: [String: Rules]] = [:]
    for entity in model.entities where !entity.isAbstract {
      guard let stored = model.storage.tables[entity.name]?.first else { continue }
      let key = entity.primaryKeyAttribute.flatMap { key in
        ValueBounds(key).map { (stored.name(of: key.name), $0) }
      }
      let relationships = entity.relationships.filter(\.hasMemberBounds).map { (stored.name(of: $0.name), $0) }
      if key == nil, relationships.isEmpty { continue }
      rules[stored.table, default: [:]][entity.name] = Rules(
        entity: entity.name, key: key, relationships: relationships)
    }
    self.rules = rules
  }

  /// - Throws: The first `ValidationError`; what reading throws.
  func check(_ transaction: RecordTransaction) throws {
    if rules.isEmpty { return }
    for (id, changes) in transaction.changes.entities {
      guard let table = transaction.catalog[id], let rules = rules[table.name] else { continue }
      for row in changes.inserted {
        guard let rules = try self.rules(of: row, in: table, rules, transaction) else { continue }
        if let key = rules.key, let attribute = table.attribute(named: key.stored),
          let value = try transaction.withRecord(row, of: table, { $0.value(attribute.field) })
        {
          try key.bounds.check(value, of: rules.entity)
        }
        for (name, description) in rules.relationships {
          try check(table.relationship(named: name), description, of: row, rules.entity, transaction)
        }
      }
      for (row, properties) in changes.updated {
        guard let rules = try self.rules(of: row, in: table, rules, transaction) else { continue }
        for (name, description) in rules.relationships {
          guard let relationship = table.relationship(named: name), properties.contains(relationship.propertyIndex)
          else { continue }
          try check(relationship, description, of: row, rules.entity, transaction)
        }
      }
    }
  }

  /// The rules for a row, which says whose it is where entities share a table.
  private func rules(
    of row: RowNumber, in table: Entity, _ rules: [String: Rules], _ transaction: RecordTransaction
  ) throws -> Rules? {
    guard let field = table.attribute(named: StoredModel.entityAttribute)?.field else { return rules[table.name] }
    guard case .string(let name) = try transaction.withRecord(row, of: table, { $0.value(field) }) else { return nil }
    return rules[name]
  }

  private func check(
    _ relationship: Relationship?, _ description: RelationshipDescription, of row: RowNumber, _ entity: String,
    _ transaction: RecordTransaction
  ) throws {
    guard let relationship else { return }
    let count = try transaction.members(of: relationship, owner: row).count
    try description.validate(memberCount: count, of: entity)
  }
}

extension RelationshipDescription {
  /// Whether the number of objects that the relationship leads to is limited.
  var hasMemberBounds: Bool { isToMany && (minCount > 0 || maxCount != nil || !isOptional) }

  /// Checks the number of objects that the relationship leads to.
  ///
  /// - Throws: The first `ValidationError`.
  func validate(memberCount count: Int, of entity: String) throws(ValidationError) {
    let minimum = isOptional ? minCount : max(minCount, 1)
    // An optional relationship may be empty, whatever the least number of its members.
    if count < minimum, !(isOptional && count == 0) {
      throw .tooFewMembers(entity: entity, relationship: name, count: count, minimum: minimum)
    }
    if let maxCount, count > maxCount {
      throw .tooManyMembers(entity: entity, relationship: name, count: count, maximum: maxCount)
    }
  }
}
