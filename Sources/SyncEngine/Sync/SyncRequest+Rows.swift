extension SyncRequest {
  /// Calls a closure with the rows of the payload, whether they are a collection, and the JSON pointer to the value that they are
  /// in. No row may leave the closure.
  ///
  /// - Throws: `SyncError.invalidPayload` where there are none, or something else; what the closure throws.
  package func readRows<Result>(
    _ body: (_ rows: [PayloadValue], _ isCollection: Bool, _ pointer: String) throws -> Result
  ) throws -> Result {
    try document.readRows { root, text in
      var rows = try PayloadRows(of: self, in: root, text: text)
      rows.unite()
      var result: Result?
      try rows.forEachBatch(reading: RowReading()) { batch in
        result = try body(batch.rows.compactMap(batch.value), rows.isCollection, rows.pointer)
      }
      guard let result else { throw SyncError.invalidPayload(model: entity, reason: "it has no rows") }
      return result
    }
  }
}
