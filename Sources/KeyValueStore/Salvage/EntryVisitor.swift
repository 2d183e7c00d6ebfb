/// Is told of the entries that a walk through the trees can read.
protocol EntryVisitor: AnyObject {
  /// There is a table, in the order of the list of tables.
  func visit(table name: String) throws

  /// A table has an entry, whose bytes are valid as long as this runs. Keys are those of the caller.
  func visit(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, of table: String) throws
}

extension TreeWalk {
  /// Tells the visitor of an entry that was checked.
  func tell(
    _ visitor: any EntryVisitor, of key: UnsafeRawBufferPointer, _ value: EntryValue, in table: String
  ) throws {
    switch value {
    case .inline(let bytes): try tell(visitor, of: key, bytes, in: table)
    case .overflow(let first, let byteCount):
      let bytes = try check.reader.overflowBytes(first, at: 0, byteCount)
      try bytes.withUnsafeBytes { try tell(visitor, of: key, $0, in: table) }
    }
  }

  private func tell(
    _ visitor: any EntryVisitor, of key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in table: String
  ) throws {
    guard key.count == StoredKey.longByteCount else { return try visitor.visit(key, value, of: table) }
    if let parts = LongEntry.parts(value) { try visitor.visit(parts.key, parts.value, of: table) }
  }
}
