/// What a scan does after an entry.
public enum ScanStep: Sendable {
  /// Go on to the next one.
  case `continue`
  /// End here.
  case stop
}

extension Snapshot {
  /// Calls `body` with every entry of a range in the order of the keys, or in the opposite one, until it says stop.
  ///
  /// Keys that agree in their first 495 bytes come in an order of their own. The bytes are valid inside of `body` and,
  /// in a write transaction, until its next change; `body` may change the table that it scans.
  public final func scan(
    _ table: Table, in range: KeyRange = .all, reversed: Bool = false,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> ScanStep
  ) throws {
    guard let cursor = try EngineCursor(self, table) else { return }
    defer { cursor.close() }
    try range.withBounds { lower, upper in
      var walk = RangeWalk(cursor, lower: lower, upper: upper, isReversed: reversed)
      var lookAhead = LookAhead()
      let looksAhead = place != nil
      while let entry = try looksAhead ? lookAhead.next({ try walk.next() }) : walk.next() {
        if try body(entry.key, entry.value) == .stop { return }
      }
    }
  }

  /// Calls `body` with a cursor, which can be moved to any entry of the table and is closed afterwards.
  public final func withCursor<Result>(in table: Table, _ body: (Cursor) throws -> Result) throws -> Result {
    let cursor = try Cursor(self, table)
    defer { cursor.close() }
    return try body(cursor)
  }
}
