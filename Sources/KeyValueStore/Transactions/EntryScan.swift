import CLMDB

/// A walk over the entries of a table in the order of their keys, which is asked for one after the other.
///
/// It is what `Snapshot.scan` is, for a loop that looks at very many entries: calling a closure for each would be a good part of
/// what they cost. Nothing may be written meanwhile, and the snapshot must still be open when the walk ends.
package struct EntryScan: ~Copyable {
  private let cursor: EngineCursor
  private var lookAhead = LookAhead()

  /// Nil when the table did not exist yet at the time of the snapshot.
  fileprivate init?(_ snapshot: Snapshot, _ table: Table, from first: UnsafeRawBufferPointer) throws {
    guard let cursor = try EngineCursor(snapshot, table) else { return nil }
    self.cursor = cursor
    lookAhead.begin { try cursor.seek(stored: MDB_val(first)) }
  }

  deinit { cursor.close() }

  /// The key and the value of the next entry; nil behind the last. Their bytes are valid as long as the snapshot is.
  package mutating func next() throws -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    guard let next = try lookAhead.next({ try cursor.move(MDB_NEXT) }) else { return nil }
    return (next.key, next.value)
  }
}

extension Snapshot {
  /// Begins a walk over a table's entries, at the first whose key is not less than one of 1 to 495 bytes. Nil when the table did
  /// not exist yet at the time of the snapshot.
  package final func entries(of table: Table, from first: UnsafeRawBufferPointer) throws -> EntryScan? {
    try EntryScan(self, table, from: first)
  }
}
