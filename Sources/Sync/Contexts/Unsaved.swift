/// What is unsaved in a context: what the next save writes.
struct Unsaved {
  /// Objects to be inserted, in the order of insertion.
  var inserted = ObjectSet()
  /// Stored objects with edits.
  var updated = ObjectSet()
  /// Stored objects to be deleted.
  var deleted = ObjectSet()

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Drops what is unsaved of an object whose row is gone.
  mutating func forget(_ object: ManagedObject) {
    updated.remove(object)
    deleted.remove(object)
  }
}
