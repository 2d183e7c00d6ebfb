import KeyValueStore

extension Cursor {
  /// Visits the entries from the cursor's place on, up to the first that does not belong to what is looked for.
  ///
  /// The entries on both sides of them are read too, and so checked: a flipped bit in a key makes an entry seem to be another
  /// one, while it stays where it is.
  ///
  /// - Parameters:
  ///   - reading: Makes of an entry's key and value what it says; throws when it is not what was written.
  ///   - belongs: Whether an entry is one of those that are looked for.
  ///   - body: Called with each of them.
  /// - Throws: what the closures throw.
  @inline(__always)
  func forEachEntryOnward<Entry>(
    reading: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Entry,
    while belongs: (_ key: UnsafeRawBufferPointer, Entry) -> Bool,
    _ body: (_ key: UnsafeRawBufferPointer, Entry) throws -> ScanStep
  ) throws {
    if try previous() { _ = try reading(key, value) }
    while try next() {
      let key = try key
      let entry = try reading(key, value)
      guard belongs(key, entry), try body(key, entry) == .continue else { return }
    }
  }
}
