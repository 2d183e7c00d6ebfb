/// Has each entry of a walk found before it is asked for, so that its value comes from memory while the one before is worked on.
///
/// Not for a walk of which that work may change the table.
struct LookAhead {
  private var ahead: Entry?
  private var hasBegun = false
  /// Why there was nothing to be found beforehand. It is thrown where it would have been without that.
  private var failure: (any Error)?

  /// Has the first entry found now, and not when it is asked for.
  mutating func begin(_ find: () throws -> Entry?) {
    hasBegun = true
    do {
      ahead = try find()
    } catch {
      failure = error
    }
  }

  /// The next entry, of those that a closure finds one after the other.
  @inline(__always)
  mutating func next(_ find: () throws -> Entry?) throws -> Entry? {
    if let failure { throw failure }
    guard let next = hasBegun ? ahead : try find() else { return nil }
    begin(find)
    if let ahead { Prefetching.begin(ahead.value) }
    return next
  }
}
