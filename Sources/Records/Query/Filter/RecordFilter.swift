/// A condition made ready to be evaluated on the records of an entity.
package struct RecordFilter: Sendable {
  let code: FilterCode
  let entry: FilterCode.Entry

  /// - Throws: `QueryError` for what does not fit the entity.
  package init(_ condition: Condition, of entity: Entity, in catalog: Catalog) throws {
    var compiler = FilterCompiler(catalog)
    entry = try compiler.compile(
      condition.simplified(), of: entity, whenTrue: FilterCode.isTrue, whenFalse: FilterCode.isFalse)
    code = compiler.code
  }

  /// Whether the condition is true of every row.
  var isAlwaysTrue: Bool { entry == FilterCode.isTrue }

  /// Whether the condition is true of a row. Whoever asks for many rows makes one `FilterEvaluator` for all of them.
  ///
  /// - Throws: `QueryError` for what cannot be calculated; what reading other rows throws.
  package func matches(_ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot) throws -> Bool {
    try FilterEvaluator(self, in: snapshot).matches(row, record)
  }
}

extension Condition {
  /// Whether the condition is true of a row. Whoever asks more than once makes a `RecordFilter`.
  package func matches(
    _ row: RowNumber, _ record: RecordView, of entity: Entity, in snapshot: RecordSnapshot
  ) throws -> Bool {
    try RecordFilter(self, of: entity, in: snapshot.catalog).matches(row, record, in: snapshot)
  }
}
