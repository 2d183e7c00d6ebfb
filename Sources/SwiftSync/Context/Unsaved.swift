/// What is unsaved in a context: what the next save writes.
struct Unsaved {
  /// Objects to be inserted, in the order of insertion.
  var inserted = ObjectSet()
  /// Stored objects with edits.
  var edited = ObjectSet()
  /// Stored objects to be deleted.
  var deleted = ObjectSet()
  /// Objects whose relationships were changed from the other direction: they hold more than their record says.
  var touched = ObjectSet()
  /// Why an object that was to be inserted could not be.
  var refusal: ModelError?

  /// Whether there is something to save.
  var hasChanges: Bool { !inserted.isEmpty || !edited.isEmpty || !deleted.isEmpty || refusal != nil }

  /// Whether objects differ from what is stored.
  var hasObjects: Bool { !inserted.isEmpty || !edited.isEmpty || !deleted.isEmpty || !touched.isEmpty }

  var objects: [any PersistentModel] { inserted.objects + edited.objects + deleted.objects + touched.objects }

  /// Drops what is unsaved of an object whose row is gone.
  mutating func forget(_ model: any PersistentModel) {
    edited.remove(model)
    deleted.remove(model)
    touched.remove(model)
  }

  var withoutGoneObjects: Unsaved {
    var result = self
    for model in objects where model._$backing.state == .gone { result.forget(model) }
    return result
  }
}
