import CLMDB

/// A walk over the entries of a range, forwards or backwards.
///
/// It has a *near* bound, where it starts, and a *far* bound, where it stops. Around a long bound the entries with the
/// same stem lie in the order of their hashes, so each of them is compared, and passed over when it is outside.
struct RangeWalk {
  private let cursor: EngineCursor
  private let near: KeyBound?
  private let far: KeyBound?
  private let isReversed: Bool
  private var hasStarted = false
  /// Whether an entry may still turn out to be on the outer side of the near bound.
  private var isNearBound: Bool

  init(_ cursor: EngineCursor, lower: KeyBound?, upper: KeyBound?, isReversed: Bool) {
    self.cursor = cursor
    self.isReversed = isReversed
    near = isReversed ? upper : lower
    far = isReversed ? lower : upper
    isNearBound = near != nil
  }

  /// The next entry; nil when there is none.
  mutating func next() throws -> Entry? {
    while let entry = try advance() {
      if isNearBound, let near {
        guard isInside(entry.key, near, isUpper: isReversed) else { continue }
        isNearBound = near.isInterleaved(with: entry.storedKey)
      }
      if let far, !isInside(entry.key, far, isUpper: !isReversed) {
        if far.isInterleaved(with: entry.storedKey) { continue }
        return nil
      }
      return entry
    }
    return nil
  }

  private mutating func advance() throws -> Entry? {
    if hasStarted { return try cursor.move(isReversed ? MDB_PREV : MDB_NEXT) }
    hasStarted = true
    guard let near else { return try cursor.move(isReversed ? MDB_LAST : MDB_FIRST) }
    if !isReversed { return try near.key.isEmpty ? cursor.move(MDB_FIRST) : cursor.seek(stored: MDB_val(near.stem)) }
    // No key lies before the empty one.
    if near.key.isEmpty { return nil }
    return try lastCandidate(before: near) ?? cursor.move(MDB_LAST)
  }

  /// The first entry behind everything that an upper bound allows, or the last that it may allow.
  private func lastCandidate(before bound: KeyBound) throws -> Entry? {
    guard bound.key.count > StoredKey.plainBytesMax else { return try cursor.seek(stored: MDB_val(bound.key)) }
    return try withUnsafeTemporaryAllocation(byteCount: StoredKey.longByteCount, alignment: 1) { buffer in
      _ = buffer.initializeMemory(as: UInt8.self, repeating: 0xFF)
      buffer.copyMemory(from: bound.stem)
      return try cursor.seek(stored: MDB_val(UnsafeRawBufferPointer(buffer)))
    }
  }

  private func isInside(_ key: UnsafeRawBufferPointer, _ bound: KeyBound, isUpper: Bool) -> Bool {
    let order = key.compare(bound.key)
    if order == 0 { return bound.isIncluded }
    return isUpper == (order < 0)
  }
}
