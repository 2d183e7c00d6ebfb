import Records

/// What another version of a model makes of the rows of entities that inherit, and a schema can't say: rows of a table that
/// several entities share say whose they are by name.
///
/// Rows of a renamed entity get its new name. Rows of an entity that the new model has in another table, or nowhere, would not be
/// seen any more or be taken for another's, and values of a property that another entity declares now would be lost: a store
/// with such rows is not opened.
struct EntityMoves: Sendable {
  let model: ManagedObjectModel

  /// Looks at a store as it is before it follows the model's schema, and once more when it does.
  ///
  /// - Throws: `DataStackError.movedEntity`, `.removedEntity`, `.abstractEntity`, `.movedProperty`; what reading and writing throw.
  func settle(_ store: RecordStore) throws {
    let renamed = try store.read { snapshot in
      try snapshot.catalog.entities.flatMap { table in try renames(in: table, snapshot) }
    }
    if renamed.isEmpty { return }
    _ = try store.write { transaction in
      for (table, old, new) in renamed { try rename(old, to: new, in: table, transaction) }
    }
  }

  /// The entities that are called otherwise now, by the names that they have in a table.
  private func renames(
    in table: Entity, _ snapshot: RecordSnapshot
  ) throws -> [(table: Entity, old: String, new: String)] {
    if try snapshot.count(of: table) == 0 { return [] }
    try checkProperties(of: table)
    return try names(in: table, snapshot).compactMap { name in
      if let stored = model.storage.tables[name] {
        guard stored.contains(where: { isTable($0.table, table.name) }) else {
          throw DataStackError.movedEntity(name, from: table.name, to: stored.first?.table ?? name)
        }
        if model.entity(named: name)?.isAbstract == true { throw DataStackError.abstractEntity(name) }
        return nil
      }
      guard table.attribute(named: StoredModel.entityAttribute) != nil else { return nil }
      guard let new = model.entities.first(where: { $0.renamingIdentifier == name }) else {
        // Where others still share the table, they stay apart from these.
        guard let kept = self.table(table.name), kept.attributes.allSatisfy({ $0.name != StoredModel.entityAttribute })
        else { return nil }
        throw DataStackError.removedEntity(name, ancestor: kept.name)
      }
      guard model.storage.tables[new.name]?.contains(where: { isTable($0.table, table.name) }) == true else {
        throw DataStackError.movedEntity(name, from: table.name, to: new.name)
      }
      return (table, name, new.name)
    }
  }

  /// Looks for properties that rows have under the name of one entity of the tree, and the model under that of another.
  private func checkProperties(of table: Entity) throws(DataStackError) {
    guard let present = self.table(table.name) else { return }
    let names = Set(present.attributes.map(\.name) + present.relationships.map(\.name))
    let earlier = Set(present.attributes.compactMap(\.originalName) + present.relationships.compactMap(\.originalName))
    let before = Set(table.attributes.map(\.name) + table.relationships.map(\.name))
    for stored in before.sorted() {
      if names.contains(stored) || earlier.contains(stored) { continue }
      let property = stored.split(separator: ".").last.map(String.init) ?? stored
      let owner = stored == property ? table.name : String(stored.dropLast(property.count + 1))
      // Where no entity has it any more, it is gone and meant to be.
      let isOfTree = { (entity: EntityDescription) in model.storage.tables[entity.name]?.first?.table == present.name }
      guard
        let found = names.first(where: { name in
          !before.contains(name) && (name == property || name.hasSuffix(".\(property)"))
        }),
        model.entities.contains(where: { $0.name == owner && isOfTree($0) })
      else { continue }
      throw .movedProperty(
        property, entity: found == property ? present.name : String(found.dropLast(property.count + 1)), from: owner)
    }
  }

  /// The description of a table of the store that the model has under this or another name.
  private func table(_ stored: String) -> Records.EntityDescription? {
    model.storage.schema.entities.first { isTable($0.name, stored) }
  }

  /// Whether a table of the model is one of the store, under its present name or the one before.
  private func isTable(_ name: String, _ stored: String) -> Bool {
    name == stored || model.storage.schema.entity(named: name)?.originalName == stored
  }

  /// Whose rows there are.
  private func names(in table: Entity, _ snapshot: RecordSnapshot) throws -> [String] {
    guard let field = table.attribute(named: StoredModel.entityAttribute)?.field else { return [table.name] }
    var names: [String] = []
    var condition = Condition.always
    // The attribute has an index, so each of these is one look.
    while let row = try first(in: table, where: condition, by: field, snapshot),
      case .string(let name) = try snapshot.withRecord(row, of: table, { $0.value(field) })
    {
      names.append(name)
      condition = .compare(field, .greater, .string(name))
    }
    return names
  }

  private func first(
    in table: Entity, where condition: Condition, by field: FieldIndex, _ snapshot: RecordSnapshot
  ) throws -> RowNumber? {
    let query = RecordQuery(table, where: condition, order: [OrderTerm(.field(field))], limit: 1)
    return try snapshot.rows(snapshot.plan(query)).first
  }

  private func rename(
    _ old: String, to new: String, in table: Entity, _ transaction: RecordTransaction
  ) throws {
    guard let field = table.attribute(named: StoredModel.entityAttribute)?.field else { return }
    let query = RecordQuery(table, where: .compare(field, .equal, .string(old)))
    var builder = RecordBuilder(table.layout)
    for row in try transaction.rows(transaction.plan(query)) {
      _ = try transaction.withRecord(row, of: table) { builder.load($0) }
      builder.set(field, .string(new))
      _ = try transaction.update(row, of: table, with: &builder)
    }
  }
}
