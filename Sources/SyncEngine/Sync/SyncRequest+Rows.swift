extension SyncRequest {
  /// Calls a closure with the rows of the payload, whether they are a collection, and the JSON pointer to the value that they are
  /// in. No row may leave the closure.
  ///
  /// - Throws: `SyncError.invalidPayload` where there are none, or something else; what the closure throws.
  package func readRows<Result>(
    _ body: (_ rows: [PayloadValue], _ isCollection: Bool, _ pointer: String) throws -> Result
  ) throws -> Result {
    try document.readRows { root, parser in
      let rows = try PayloadRows(of: self, in: root, parser: parser)
      return try body((0..<rows.count).map { try rows.value($0) }, rows.isCollection, rows.pointer)
    }
  }
}
