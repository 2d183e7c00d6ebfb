import KeyValueStore

/// An entry of the history's table: under the token's eight bytes the transaction, sealed.
///
/// An entry without content stands for a transaction that was deleted when it was the last one: it keeps the token taken.
enum HistoryEntry {
  /// - Returns: Nil for an entry without content.
  /// - Throws: `RecordError.damagedEntry` for a key that is no token, `.damagedTransaction`.
  static func read(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in table: Table
  ) throws -> HistoryTransaction? {
    let token = try token(key, in: table)
    guard let content = SealedValue.open(value, under: key) else {
      throw RecordError.damagedTransaction(token: token.rawValue)
    }
    if content.isEmpty { return nil }
    var reader = CompactReader(content)
    do {
      return try HistoryTransaction(token: token, from: &reader)
    } catch {
      throw RecordError.damagedTransaction(token: token.rawValue)
    }
  }

  static func token(_ key: UnsafeRawBufferPointer, in table: Table) throws -> HistoryToken {
    guard let number = UInt64(key), number > 0, number < .max else {
      throw RecordError.damagedEntry(table: table.name)
    }
    return HistoryToken(rawValue: number)
  }
}

extension RecordTransaction {
  /// Adds the entry of a transaction behind all others, or one without content.
  ///
  /// - Returns: How many bytes its value takes.
  func putHistoryEntry(_ content: HistoryTransaction?, under token: HistoryToken) throws -> Int {
    let table = tables.history
    var writer = CompactWriter()
    content?.write(to: &writer)
    let byteCount = SealedValue.byteCount(ofContent: writer.bytes.count)
    try token.rawValue.withBytes { key in
      // At the end of the table this needs no search, and fills its pages.
      try transaction.withSortedWriter(in: table) { sorted in
        try sorted.put(valueByteCount: byteCount, for: key) { SealedValue.seal(writer.bytes, under: key, into: $0) }
      }
    }
    return byteCount
  }

  /// Removes an entry. The last one only loses its content, so that its token is never given again.
  func removeHistoryEntry(_ token: HistoryToken, last: HistoryToken) throws {
    let table = tables.history
    if token == last {
      _ = try putHistoryEntry(nil, under: token)
    } else {
      _ = try token.rawValue.withBytes { try transaction.delete($0, in: table) }
    }
  }

  func clearHistory(except last: HistoryToken) throws {
    if last == .start { return }
    try transaction.removeAll(in: tables.history)
    _ = try putHistoryEntry(nil, under: last)
  }
}
