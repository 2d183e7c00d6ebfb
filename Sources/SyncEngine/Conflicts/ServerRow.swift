import Records

/// What a payload object says about an attribute or to-one relationship, in the form in which records have it.
struct ServerValue {
  let property: Int
  let field: FieldIndex
  let name: String
  /// Of a relationship the number of the row.
  let value: FieldValue
  /// The mapping of what it leads to; nil for an attribute.
  let destination: String?
}

/// What a payload object says about its row, but for what can't be read and for links to rows that aren't there.
struct ServerRow {
  var values: [ServerValue] = []
  /// The lists that it has something to say of.
  var lists = PropertySet()

  /// Everything that it speaks of.
  var properties: PropertySet {
    var properties = lists
    for value in values { properties.insert(value.property) }
    return properties
  }
}

extension SyncPass {
  func serverRow(of item: PayloadItem, in pass: EntityPass) throws -> ServerRow {
    var row = ServerRow()
    let values = values(of: item, in: pass)
    for plan in pass.plan.attributes {
      guard let value = plan.storedValue(in: values) else { continue }
      let attribute = plan.attribute
      row.values.append(
        ServerValue(
          property: attribute.propertyIndex, field: attribute.field, name: plan.name, value: value,
          destination: nil))
    }
    for plan in pass.plan.relationships {
      let relationship = plan.relationship
      guard let field = relationship.field else {
        if plan.find(in: values) != nil { row.lists.insert(relationship.propertyIndex) }
        continue
      }
      guard let value = try linkedRow(plan, values, of: item, in: pass) else { continue }
      row.values.append(
        ServerValue(
          property: relationship.propertyIndex, field: field, name: plan.name, value: value,
          destination: plan.destinationName))
    }
    return row
  }

  /// What the row has here of the properties that an object speaks of.
  func storedValues(_ server: ServerRow, of row: RowNumber, in pass: EntityPass) throws -> [FieldValue] {
    let values = try transaction.withRecord(row, of: pass.entity) { record in
      try server.values.map { try transaction.value($0.field, of: record, row: row, pass.entity) }
    }
    guard let values else { throw RecordError.noSuchRow(entity: pass.name, row: row) }
    return values
  }

  /// The number of the row that an object is to be linked to, or null; nil if it doesn't say, or there is no such row.
  private func linkedRow(
    _ plan: RelationshipPlan, _ values: RowValues, of item: PayloadItem, in pass: EntityPass
  ) throws -> FieldValue? {
    if isGiven(plan.relationship, of: item, in: pass) { return scope?.parent.map { .uint($0.row.rawValue) } }
    guard let found = plan.find(in: values) else { return nil }
    if found.value.isNull { return plan.relationship.description.isRequired ? nil : .null }
    let destination = try self.pass(for: plan.destinationName)
    guard let slot = slot(of: found.value, in: destination) else { return nil }
    _ = try resolveIdentities(of: destination, ofPayloadRows: false)
    return destination.slot(slot).row.map { .uint($0.rawValue) }
  }

  /// The to-many relationships in which a row has other members than an object says.
  func differingLists(of item: PayloadItem, row: RowNumber, in pass: EntityPass) throws -> [String] {
    let values = values(of: item, in: pass)
    return try pass.plan.relationships.filter { plan in
      guard plan.relationship.isToMany, !isGiven(plan.relationship, of: item, in: pass),
        let found = plan.find(in: values)
      else { return false }
      let destination = try self.pass(for: plan.destinationName)
      let slots = found.value.elements.map { slot(of: $0, in: destination) }
      _ = try resolveIdentities(of: destination, ofPayloadRows: false)
      let wanted = Set(slots.map { $0.flatMap { destination.slot($0).row } })
      // What isn't here, or can't be read, is nil among them.
      return wanted != Set(try transaction.members(of: plan.relationship, owner: row).map { $0 })
    }.map(\.name)
  }

  private func slot(of value: PayloadValue, in destination: EntityPass) -> Int? {
    guard let identity = destination.plan.identity else { return nil }
    let found =
      value.kind == .object
      ? identity.find(in: destination.identityReader.read(value))?.value
      : identity.reference(value)
    return found.flatMap { destination.identities.slot(for: $0) }
  }
}
