/// Taking into account what a pull shows of a dirty row.
extension RecordTransaction {
  /// Notes what the server is now known to have of a dirty row. The local changes stay to be sent, but for those which the server
  /// turns out to have already.
  ///
  /// - Parameters:
  ///   - row: The row, or the number that it had when it was deleted.
  ///   - entity: Its entity.
  ///   - values: What the server has, by property.
  ///   - agreed: The properties in which the row is as the server has it. When no change is left that isn't among them the row
  ///     is clean. A row that was made here stays dirty: whose row the server's is isn't known.
  /// - Throws: `RecordError.damagedEntry`.
  package func rebasePush(
    of row: RowNumber, _ entity: Entity, on values: [(property: Int, value: FieldValue)], agreed: PropertySet
  ) throws {
    guard var entry = try pushEntry(of: row, entity) else { return }
    if !entry.isInserted, !entry.isDeleted, !entry.changed.isEmpty {
      entry.changed.subtract(agreed)
      if entry.changed.isEmpty { return try removePushEntry(entry, of: entity) }
    }
    try rebase(&entry, entity, on: values)
  }

  /// Has a dirty row take over what the server has of it. Changes of properties that the server has said nothing about stay to
  /// be sent; without any the row is clean.
  ///
  /// - Parameters:
  ///   - row: The row, or the number that it had when it was deleted.
  ///   - entity: Its entity.
  ///   - values: What the server has, by property.
  ///   - shown: All properties that the server has said something about.
  /// - Throws: `RecordError.damagedEntry`.
  package func adoptPush(
    of row: RowNumber, _ entity: Entity, _ values: [(property: Int, value: FieldValue)], shown: PropertySet
  ) throws {
    guard var entry = try pushEntry(of: row, entity) else { return }
    entry.changed.subtract(shown)
    if entry.isInserted || entry.isDeleted || entry.changed.isEmpty {
      return try removePushEntry(entry, of: entity)
    }
    try rebase(&entry, entity, on: values)
  }

  private func rebase(
    _ entry: inout PushEntry, _ entity: Entity, on values: [(property: Int, value: FieldValue)]
  ) throws {
    var base = try pushBase(of: entry.row, entity) ?? PushBase()
    for (property, value) in values { base.set(value, of: property, entity) }
    entry.hasBase = true
    try put(base, of: entry.row, entity)
    try put(entry, of: entity)
  }
}
