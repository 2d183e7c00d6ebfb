import Records

/// Reading values that lie outside of an object's record.
extension ModelBacking {
  /// Reads a content from the row as it is now: if that has changed, the object is not up to date yet in the rest. It is kept for
  /// as long as the object keeps its record.
  ///
  /// A property cannot throw: what cannot be read, and what is gone with its row, is null, for which the type has a stand-in.
  func content(_ reference: ContentReference, of field: FieldIndex) -> FieldValue {
    guard let graph, let binding, let row = storedRow else { return .null }
    let found = graph.reading {
      try graph.read { snapshot in
        try snapshot.withRecord(row, of: binding.entity) { current in
          (try snapshot.value(field, of: current, row: row, binding.entity), current.reference(field))
        }
      }
    }
    guard let (value, current) = found else { return .null }
    if current == reference { keep(value, of: field) }
    return value
  }

  /// Has the context's next fetch or save throw that a value is not one of the property's type. Others are looked at before an
  /// object is made of their row.
  func noteUnreadable(_ slot: Int, of model: any PersistentModel) {
    let table = type(of: model).modelTable
    graph?.note(
      ModelError.unreadableValue(
        entity: table.name, row: storedRow?.rawValue ?? 0, attribute: table.properties[slot].name,
        value: "a value in external storage"))
  }
}
