import Records

extension Fetch {
  /// The objects of results, up to date. One whose row is gone by now is deleted; so is one whose row cannot be read, and the
  /// next fetch throws why.
  static func models(_ items: ArraySlice<Item>, in context: ModelContext) -> [Model] {
    let models = context.graph.reading {
      let binding = try context.core.binding(of: Model.self)
      return try context.read { snapshot in
        items.map { item in
          switch item {
          case .object(let model): model
          case .row(let row): model(of: row, binding, in: context, snapshot) ?? Model(_$backing: .missing)
          }
        }
      }
    }
    return models ?? items.map { _ in Model(_$backing: .missing) }
  }

  private static func model(
    of row: RowNumber, _ binding: ModelBinding, in context: ModelContext, _ snapshot: RecordSnapshot
  ) -> Model? {
    context.graph.reading {
      binding.model(
        try snapshot.withRecord(row, of: binding.entity) { record in
          try context.current(row, record, binding, in: snapshot)
        })
    }
  }
}
