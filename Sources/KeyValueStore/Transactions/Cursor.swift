import CLMDB

/// A position in a table that can be moved to any entry.
///
/// The order is the table's: by bytes, except that keys which agree in their first 495 bytes have an order of their own.
/// A move to an entry near the current one is cheap, which is what walking two sorted sequences side by side needs.
///
/// It is valid inside of the closure that it was given to. In a write transaction it may be moved on after a change, but
/// `key` and `value` are there again only after the move. When its entry has been deleted it stands on the one behind,
/// which the next move forwards goes to; an entry added before that one is then passed over.
public final class Cursor {
  private enum Place {
    case beforeFirst
    case at(Entry)
    case behindLast
  }

  private let snapshot: Snapshot
  private let table: Table
  /// Nil when the table did not exist yet at the time of the snapshot.
  private let cursor: EngineCursor?
  private var isClosed = false
  private var place = Place.beforeFirst
  /// The transaction's change count at the last move.
  private var changeCount = 0

  init(_ snapshot: Snapshot, _ table: Table) throws {
    self.snapshot = snapshot
    self.table = table
    cursor = try EngineCursor(snapshot, table)
  }

  func close() {
    isClosed = true
    cursor?.close()
  }

  /// Moves to the first entry whose key is `key` or comes after it; to behind the last, and false, when there is none.
  @discardableResult
  public func seek(to key: UnsafeRawBufferPointer) throws -> Bool {
    if key.isEmpty { return try first() }
    return try move(otherwise: .behindLast) { cursor in
      try StoredKey.with(key, seed: snapshot.environment.seed) { try cursor.seek(stored: $0) }
    }
  }

  /// Moves to the first entry whose key is `key` or comes after it; to behind the last, and false, when there is none.
  @discardableResult
  public func seek(to key: [UInt8]) throws -> Bool {
    try key.withUnsafeBytes { try seek(to: $0) }
  }

  /// Moves to the first entry; false when the table is empty.
  @discardableResult
  public func first() throws -> Bool {
    try move(otherwise: .behindLast) { try $0.move(MDB_FIRST) }
  }

  /// Moves to the last entry; false when the table is empty.
  @discardableResult
  public func last() throws -> Bool {
    try move(otherwise: .beforeFirst) { try $0.move(MDB_LAST) }
  }

  /// Moves to the next entry; to behind the last, and false, when there is none. A new cursor is before the first.
  @discardableResult
  public func next() throws -> Bool {
    switch place {
    case .beforeFirst: try first()
    case .at: try move(otherwise: .behindLast) { try $0.move(MDB_NEXT) }
    case .behindLast: try move(otherwise: .behindLast) { _ in nil }
    }
  }

  /// Moves to the previous entry; to before the first, and false, when there is none.
  @discardableResult
  public func previous() throws -> Bool {
    switch place {
    case .beforeFirst: try move(otherwise: .beforeFirst) { _ in nil }
    case .at: try move(otherwise: .beforeFirst) { try $0.move(MDB_PREV) }
    case .behindLast: try last()
    }
  }

  /// The key of the current entry, valid until the next move or change.
  ///
  /// Throws `StoreError.cursorNotPositioned` when there is no current entry.
  public var key: UnsafeRawBufferPointer {
    get throws { try current().key }
  }

  /// The value of the current entry, valid until the next move or change.
  ///
  /// Throws `StoreError.cursorNotPositioned` when there is no current entry.
  public var value: UnsafeRawBufferPointer {
    get throws { try current().value }
  }

  @inline(__always)
  private func move(otherwise nowhere: Place, _ step: (EngineCursor) throws -> Entry?) throws -> Bool {
    try usable()
    changeCount = snapshot.changeCount
    guard let cursor, let entry = try step(cursor) else {
      place = nowhere
      return false
    }
    place = .at(entry)
    return true
  }

  @inline(__always)
  private func current() throws -> Entry {
    try usable()
    guard case .at(let entry) = place, changeCount == snapshot.changeCount else {
      throw StoreError.cursorNotPositioned
    }
    return entry
  }

  @inline(__always)
  private func usable() throws(StoreError) {
    if isClosed { throw .transactionEnded }
    // LMDB would let the cursor of a transaction work in the one that is nested in it.
    if snapshot.transaction == nil { throw snapshot.unusable }
  }
}
