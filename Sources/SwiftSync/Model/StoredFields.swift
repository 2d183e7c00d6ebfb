import Records

/// Reading attributes from an object's record, in their own types.
extension ModelBacking {
  /// Reads an attribute of a type of which the record has one kind of field.
  ///
  /// The value is taken from the record where the record is all that there is to look at: nothing was edited or decoded, the field
  /// is of the kind, and no content may lie outside. Otherwise it is read as a `FieldValue`.
  @inline(__always)
  func read<Value: PersistentAttribute>(
    _ slot: Int, _ kind: FieldKind, _ read: (RecordView, FieldIndex) -> Value
  ) -> Value? {
    if slotCount == 0, let record, record.isWhole, let field = binding?.field(of: slot) {
      return record.withView { view in
        if view.isInside(field, kind) { return view.isNull(field) ? nil : read(view, field) }
        return Value(StoredValue(self.field(in: slot)))
      }
    }
    return Value(StoredValue(field(in: slot)))
  }
}
