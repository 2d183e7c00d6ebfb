import KeyValueStore

extension RecordSnapshot {
  /// The value of a field, wherever its content lies: that of a row's record in this snapshot.
  ///
  /// - Throws: `RecordError.damagedContent` when the content lies outside and is not what was written.
  package func value(
    _ field: FieldIndex, of record: RecordView, row: RowNumber, _ entity: Entity
  ) throws -> FieldValue {
    guard let reference = record.reference(field) else { return record.value(field) }
    return try withContent(reference, field, of: row, entity) {
      FieldValue(entity.layout.fields[field].kind, content: $0)
    }
  }

  /// Runs a closure on a content that a row's record refers to, where it lies.
  func withContent<Result>(
    _ reference: ContentReference, _ field: FieldIndex, of row: RowNumber, _ entity: Entity,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let attribute = entity.formedAttributes.first { $0.field == field }
    let result: Result? =
      if let attribute, let table = tables.contents[entity.slot] {
        try ContentKey(row: row, attribute: attribute, of: entity).withBytes { key in
          try snapshot.withValue(for: key, in: table) { content in
            reference.matches(content) ? try body(content) : nil
          } ?? nil
        }
      } else {
        nil
      }
    guard let result else {
      throw RecordError.damagedContent(entity: entity.name, row: row, attribute: attribute?.name ?? "")
    }
    return result
  }
}
