import Records

/// A save plan that is being carried out in a transaction.
///
/// Edits come first, with nothing in the place of rows that are still to be made, then insertions, then what leads to new
/// rows, and deletions last: so new values find the unique values that others have given up, and delete rules follow the links
/// as the objects show them. A row that is to be deleted goes early when one of its unique values is needed; by then every
/// link between rows that were there before is as it will be.
package struct SaveRun {
  private struct Place: Hashable {
    let entity: EntityID
    let row: RowNumber
  }

  private let plan: SavePlan
  private let transaction: RecordTransaction
  private let doomed: Set<Place>
  /// The rows of the insertions so far.
  private var rows: [RowNumber] = []
  /// Whether a new object has become a row that was there: perhaps that of another new one.
  private var hasTakenOver = false

  /// - Returns: the rows of the plan's insertions, in order.
  package static func run(_ plan: SavePlan, in transaction: RecordTransaction) throws -> [RowNumber] {
    var run = SaveRun(plan: plan, transaction: transaction)
    try run.run()
    return run.rows
  }

  private init(plan: SavePlan, transaction: RecordTransaction) {
    self.plan = plan
    self.transaction = transaction
    doomed = Set(plan.deletions.map { Place(entity: $0.entity.id, row: $0.row) })
  }

  private mutating func run() throws {
    for (row, values) in plan.updates {
      try update(row, plan.deletions.isEmpty ? values : values.links)
      for (relationship, edit) in values.members { try editMembers(relationship, edit, of: row, values.entity) }
    }
    if !plan.deletions.isEmpty {
      // All look-ups before the first change: rows may pass values on among themselves, and a look-up sees only one of them.
      for (row, values) in plan.updates where !values.fields.isEmpty { try vacate(values, for: row) }
      for (row, values) in plan.updates where !values.fields.isEmpty { try update(row, values.attributes) }
    }
    for insertion in plan.insertions { rows.append(try insert(insertion)) }
    for (row, values) in plan.updates { try linkToNew(row, values, isNew: false) }
    for (row, values) in zip(rows, joinedInsertions) { try linkToNew(row, values, isNew: true) }
    for deletion in plan.deletions { _ = try transaction.delete(deletion.row, of: deletion.entity) }
  }

  /// Writes the edits of a row. One that another context has deleted stays so.
  private func update(_ row: RowNumber, _ values: SavePlan.Values) throws {
    var builder = RecordBuilder(values.entity.layout)
    guard try transaction.withRecord(row, of: values.entity, { builder.load($0) }) != nil else { return }
    try fill(&builder, values)
    // An edit that writes an equal value is an edit all the same (contract, section 2.2-35).
    if try transaction.update(row, of: values.entity, with: &builder) == nil {
      try transaction.touch(row, of: values.entity)
    }
  }

  private mutating func insert(_ values: SavePlan.Values) throws -> RowNumber {
    var builder = RecordBuilder(values.entity.layout)
    try fill(&builder, values)
    for (row, index) in try rowsWithSameUniqueValue(builder, values.entity) {
      if try deleteEarly(row, of: values.entity) { continue }
      // Any other is a conflict, which the store finds and names: the row would lose its identity to the new object.
      guard identifiesRows(index, of: values.entity) else { continue }
      try update(row, values)
      hasTakenOver = true
      return row
    }
    return try transaction.insert(&builder, into: values.entity)
  }

  /// The insertions with the members that their rows get. Of several new objects that became one row the last says what it holds; but
  /// what is linked to an earlier one is linked to that row.
  private var joinedInsertions: [SavePlan.Values] {
    guard hasTakenOver else { return plan.insertions }
    var result = plan.insertions
    var last: [Place: Int] = [:]
    for (position, row) in rows.enumerated() {
      let earlier = last.updateValue(position, forKey: Place(entity: result[position].entity.id, row: row))
      if let earlier { result[position].addMembers(of: result[earlier]) }
    }
    return result
  }

  private func linkToNew(_ row: RowNumber, _ values: SavePlan.Values, isNew: Bool) throws {
    var late = SavePlan.Values(entity: values.entity)
    late.destinations = values.destinations.filter { $0.target?.isNew == true || values.isJoined && $0.target != nil }
    if !late.destinations.isEmpty { try update(row, late) }
    for (relationship, edit) in values.members where isNew || edit.leadsToNew {
      try editMembers(relationship, edit, of: row, values.entity)
    }
  }

  private func editMembers(
    _ relationship: Relationship, _ edit: SavePlan.MemberEdit, of row: RowNumber, _ entity: Entity
  ) throws {
    guard try transaction.contains(row, of: entity) else { return }
    switch edit {
    case .replacement(let targets):
      _ = try transaction.setMembers(of: relationship, owner: row, to: present(targets, at: relationship.destination))
    case .difference(let added, let removed, let order):
      let new = try present(added, at: relationship.destination)
      _ = try transaction.removeMembers(removed, of: relationship, owner: row)
      _ = try transaction.insertMembers(new, of: relationship, owner: row)
      if let order { try reorder(relationship, of: row, present(order, at: relationship.destination)) }
    }
  }

  /// Puts the members into an order. Those that it does not name, because others have added them, come behind.
  private func reorder(_ relationship: Relationship, of row: RowNumber, _ order: [RowNumber]) throws {
    let members = try transaction.members(of: relationship, owner: row)
    let isMember = Set(members)
    let isNamed = Set(order)
    let ordered = order.filter { isMember.contains($0) } + members.filter { !isNamed.contains($0) }
    _ = try transaction.setMembers(of: relationship, owner: row, to: ordered)
  }

  private func present(_ targets: [SavePlan.Target], at destination: EntityID) throws -> [RowNumber] {
    try targets.compactMap { try present($0, at: destination) }
  }

  private func fill(_ builder: inout RecordBuilder, _ values: SavePlan.Values) throws {
    for (field, value) in values.fields where !builder.set(field, value) {
      let attribute = values.entity.attributes.first { $0.field == field }?.name ?? ""
      throw UnencodableValue(entity: values.entity.name, attribute: attribute, value: "\(value)")
    }
    for (relationship, field, target) in values.destinations {
      builder.setRow(field, try target.flatMap { try present($0, at: relationship.destination) })
    }
  }

  /// The row of a target, if it is there: it may be still to be made, or deleted, by another context too.
  private func present(_ target: SavePlan.Target, at destination: EntityID) throws -> RowNumber? {
    let row: RowNumber
    switch target {
    case .row(let number): row = number
    case .new(let position) where position < rows.count: row = rows[position]
    case .new: return nil
    }
    guard let entity = transaction.catalog[destination], try transaction.contains(row, of: entity) else { return nil }
    return row
  }

  /// Deletes rows that the plan deletes anyway and that have a unique value which a row is about to get.
  private func vacate(_ values: SavePlan.Values, for row: RowNumber) throws {
    var builder = RecordBuilder(values.entity.layout)
    guard try transaction.withRecord(row, of: values.entity, { builder.load($0) }) != nil else { return }
    try fill(&builder, values.attributes)
    for (other, _) in try rowsWithSameUniqueValue(builder, values.entity) where other != row {
      _ = try deleteEarly(other, of: values.entity)
    }
  }

  private func deleteEarly(_ row: RowNumber, of entity: Entity) throws -> Bool {
    guard doomed.contains(Place(entity: entity.id, row: row)) else { return false }
    return try transaction.delete(row, of: entity)
  }

  private func rowsWithSameUniqueValue(
    _ builder: borrowing RecordBuilder, _ entity: Entity
  ) throws -> [(row: RowNumber, index: Index)] {
    try entity.indexes.compactMap { index in
      guard index.isUnique else { return nil }
      let key = index.attributes.map { builder.value($0.field) }
      if key.contains(.null) { return nil }
      return try transaction.firstRow(where: index, equals: key).map { ($0, index) }
    }
  }

  /// Whether equal values under a unique constraint make a new object the same as a stored row: where the model's identity is
  /// part of some constraint, those that it is part of, and otherwise all (contract, B-44).
  private func identifiesRows(_ index: Index, of entity: Entity) -> Bool {
    func hasIdentity(_ index: Index) -> Bool { index.attributes.contains { $0 === entity.identity } }
    return hasIdentity(index) || !entity.indexes.contains { $0.isUnique && hasIdentity($0) }
  }
}
