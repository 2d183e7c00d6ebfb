import Records

/// What another version of a model makes of the rows of entities that inherit, and a schema can't say: rows of a table that
/// several entities share say whose they are by name.
///
/// Rows of a renamed entity get its new name. Rows of an entity that the new model has in another table would not be seen
/// any more, so a store with such rows is not opened.
struct EntityMoves: Sendable {
  let model: ManagedObjectModel

  /// Looks at a store as it is before it follows the model's schema, and once more when it does.
  ///
  /// - Throws: `DataStackError.movedEntity`; what reading and writing throw.
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
    return try names(in: table, snapshot).compactMap { name in
      if let stored = model.storage.tables[name] {
        guard stored.contains(where: { isTable($0.table, table.name) }) else {
          throw DataStackError.movedEntity(name, from: table.name, to: stored.first?.table ?? name)
        }
        return nil
      }
      guard table.attribute(named: StoredModel.entityAttribute) != nil,
        let new = model.entities.first(where: { $0.renamingIdentifier == name })
      else { return nil }
      guard model.storage.tables[new.name]?.contains(where: { isTable($0.table, table.name) }) == true else {
        throw DataStackError.movedEntity(name, from: table.name, to: new.name)
      }
      return (table, name, new.name)
    }
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
