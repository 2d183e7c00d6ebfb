import Records

/// What a save writes, as values: taken from the objects on their own actor, carried out on the writer's thread.
struct SavePlan: Sendable {
  /// A row at the far end of a relationship.
  enum Target {
    case row(RowNumber)
    /// The row that the plan's n-th insertion makes.
    case new(Int)
  }

  /// The edited values of one object.
  struct Values {
    var entity: Entity
    var fields: [(field: FieldIndex, value: FieldValue)] = []
    var destinations: [(field: FieldIndex, target: Target?)] = []
    var members: [(relationship: Relationship, targets: [Target])] = []
  }

  private var insertions: [Values] = []
  private var updates: [(row: RowNumber, values: Values)] = []
  private var deletions: [(row: RowNumber, entity: Entity)] = []

  /// - Throws: `ModelError`.
  init(of context: ModelContext) throws {
    let inserted = context.inserted.objects
    var positions: [ObjectIdentifier: Int] = [:]
    for (position, model) in inserted.enumerated() { positions[ObjectIdentifier(model)] = position }
    let reader = ValueReader(context: context, positions: positions)
    for model in inserted {
      insertions.append(try reader.values(of: model, context.core.binding(of: type(of: model))))
    }
    for model in context.edited.objects {
      guard let row = model._$backing.storedRow else { continue }
      updates.append((row, try reader.values(of: model, context.core.binding(of: type(of: model)))))
    }
    for model in context.deleted.objects {
      guard let row = model._$backing.storedRow else { continue }
      deletions.append((row, try context.core.binding(of: type(of: model)).entity))
    }
  }

  /// Writes the plan.
  /// - Returns: the rows of the insertions, in order.
  func run(in transaction: RecordTransaction) throws -> [RowNumber] {
    var rows: [RowNumber] = []
    for insertion in insertions { rows.append(try insert(insertion, rows, in: transaction)) }
    // Destinations among the new rows that came later than their source.
    for (row, insertion) in zip(rows, insertions) {
      let late = insertion.destinations.filter { if case .new = $0.target { true } else { false } }
      if !late.isEmpty {
        var values = Values(entity: insertion.entity)
        values.destinations = late
        try update(row, values, rows, in: transaction)
      }
      try setMembers(row, insertion, rows, in: transaction)
    }
    for (row, values) in updates where try transaction.contains(row, of: values.entity) {
      try update(row, values, rows, in: transaction)
      try setMembers(row, values, rows, in: transaction)
    }
    for (row, entity) in deletions { _ = try transaction.delete(row, of: entity) }
    return rows
  }

  private func insert(
    _ values: Values, _ rows: [RowNumber], in transaction: RecordTransaction
  ) throws -> RowNumber {
    if let row = try rowWithSameUniqueValue(values, in: transaction) {
      try update(row, values, rows, in: transaction)
      return row
    }
    var builder = RecordBuilder(values.entity.layout)
    try fill(&builder, values, rows)
    return try transaction.insert(&builder, into: values.entity)
  }

  private func update(
    _ row: RowNumber, _ values: Values, _ rows: [RowNumber], in transaction: RecordTransaction
  ) throws {
    var builder = RecordBuilder(values.entity.layout)
    guard try transaction.withRecord(row, of: values.entity, { builder.load($0) }) != nil else { return }
    try fill(&builder, values, rows)
    // An edit that writes an equal value is an edit all the same (contract, section 2.2-35).
    if try transaction.update(row, of: values.entity, with: &builder) == nil {
      try transaction.touch(row, of: values.entity)
    }
  }

  private func fill(_ builder: inout RecordBuilder, _ values: Values, _ rows: [RowNumber]) throws {
    for (field, value) in values.fields where !builder.set(field, value) {
      let attribute = values.entity.attributes.first { $0.field == field }?.name ?? ""
      throw ModelError.unencodableValue(entity: values.entity.name, attribute: attribute, reason: "\(value)")
    }
    for (field, target) in values.destinations {
      switch target {
      case nil: builder.setRow(field, nil)
      case .row(let row): builder.setRow(field, row)
      case .new(let position): if position < rows.count { builder.setRow(field, rows[position]) }
      }
    }
  }

  private func setMembers(
    _ row: RowNumber, _ values: Values, _ rows: [RowNumber], in transaction: RecordTransaction
  ) throws {
    for (relationship, targets) in values.members {
      let members = targets.compactMap { target -> RowNumber? in
        switch target {
        case .row(let row): row
        case .new(let position): rows[position]
        }
      }
      guard let destination = transaction.catalog[relationship.destination] else { continue }
      // A member may have been deleted by another context since it was read.
      let present = try members.filter { try transaction.contains($0, of: destination) }
      _ = try transaction.setMembers(of: relationship, owner: row, to: present)
    }
  }

  private func rowWithSameUniqueValue(_ values: Values, in transaction: RecordTransaction) throws -> RowNumber? {
    for index in values.entity.indexes where index.isUnique {
      let key = index.attributes.map { attribute in
        values.fields.first { $0.field == attribute.field }?.value ?? .null
      }
      if key.contains(.null) { continue }
      if let row = try transaction.firstRow(where: index, equals: key) { return row }
    }
    return nil
  }
}

/// Reads edited values off objects.
private struct ValueReader {
  let context: ModelContext
  /// The positions of new objects among the plan's insertions.
  let positions: [ObjectIdentifier: Int]

  func values(of model: any PersistentModel, _ binding: ModelBinding) throws -> SavePlan.Values {
    var values = SavePlan.Values(entity: binding.entity)
    let backing = model._$backing
    // A new object writes everything it has: it may turn out to be a row that is there already.
    let isNew = backing.state == .inserted
    for property in binding.table.properties where isNew || backing.isEdited(property.slot) {
      let content = backing.content(of: property.slot)
      if let field = binding.field(of: property.slot) {
        if let attribute = property.attribute {
          values.fields.append((field, try encode(content, attribute, property, binding)))
        } else {
          values.destinations.append((field, try destination(content, property, binding)))
        }
      } else if let relationship = binding.relationship(of: property.slot), case .toMany(let members) = content {
        values.members.append((relationship, try members.compactMap { try target($0) }))
      }
    }
    return values
  }

  private func encode(
    _ content: SlotContent, _ attribute: AttributeTrait, _ property: ModelProperty, _ binding: ModelBinding
  ) throws -> FieldValue {
    switch content {
    case .attribute(let field):
      return field
    case .composite(let value):
      do {
        return try attribute.encode?(value) ?? .null
      } catch {
        throw ModelError.unencodableValue(
          entity: binding.table.name, attribute: property.name, reason: "\(error)")
      }
    case .absent, .toOne, .toMany, .memberChanges:
      return .null
    }
  }

  private func destination(
    _ content: SlotContent, _ property: ModelProperty, _ binding: ModelBinding
  ) throws -> SavePlan.Target? {
    var found: SavePlan.Target?
    if case .toOne(let related?) = content { found = try target(related) }
    if found == nil, property.relationship?.isOptional == false {
      throw ModelError.missingDestination(entity: binding.table.name, relationship: property.name)
    }
    return found
  }

  /// The row of a related object; nil for one that is or will be deleted.
  private func target(_ related: any PersistentModel) throws -> SavePlan.Target? {
    let backing = related._$backing
    switch backing.state {
    case .deleted, .gone:
      return nil
    case .stored where related.persistentModelID.storeIdentifier == context.core.storeIdentifier:
      return backing.storedRow.map { .row($0) }
    case .inserted, .unmanaged, .stored:
      if let position = positions[ObjectIdentifier(related)] { return .new(position) }
      throw ModelError.foreignObject(
        entity: type(of: related).modelTable.name, identifier: "\(related.persistentModelID)")
    }
  }
}
