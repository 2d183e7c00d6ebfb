import KeyValueStore

/// Keeping the contents that lie outside of records in step with the records.
extension RecordTransaction {
  /// What becomes of a content when a record is replaced.
  struct ContentChange {
    let attribute: Attribute
    /// Whether the new record refers to a content that the old one did not refer to; otherwise there is none any more.
    let isNew: Bool
  }

  /// What a new record changes about contents. One that both records refer to is left alone, unread.
  func contentChanges(from old: RecordView?, to new: RecordView, of entity: Entity) -> [ContentChange] {
    entity.formedAttributes.compactMap { attribute in
      let (before, after) = (old?.reference(attribute.field), new.reference(attribute.field))
      return before == after ? nil : ContentChange(attribute: attribute, isNew: after != nil)
    }
  }

  /// - Throws: `RecordError.damagedContent` for a record that was made of another row's and refers to its contents.
  func apply(
    _ changes: [ContentChange], with contents: [FieldIndex: LargeContent], to row: RowNumber, of entity: Entity
  ) throws {
    guard let table = tables.contents[entity.slot] else { return }
    for change in changes {
      try ContentKey(row: row, attribute: change.attribute, of: entity).withBytes { key in
        guard change.isNew else {
          _ = try transaction.delete(key, in: table)
          return
        }
        guard let content = contents[change.attribute.field] else {
          throw RecordError.damagedContent(entity: entity.name, row: row, attribute: change.attribute.name)
        }
        try content.withBytes { try transaction.put($0, for: key, in: table) }
      }
    }
  }

  /// Removes the contents of a row that goes.
  func removeContents(of attributes: [Attribute], row: RowNumber, _ entity: Entity) throws {
    try apply(attributes.map { ContentChange(attribute: $0, isNew: false) }, with: [:], to: row, of: entity)
  }
}
