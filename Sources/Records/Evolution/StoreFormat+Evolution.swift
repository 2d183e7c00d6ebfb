import KeyValueStore

extension StoreFormat {
  /// Takes a store to a schema, in one transaction, and returns the catalog that it has then.
  ///
  /// Tables cannot be made inside of the transaction, so they come first: an interruption leaves tables that no catalog names,
  /// with the next free numbers, and empty. A later evolution finds them so.
  static func reach(
    _ goal: SchemaGoal, in environment: Environment, history: HistoryLog,
    progress: @escaping @Sendable (EvolutionProgress) -> Void
  ) throws -> OpenedCatalog {
    let stored = try readCatalog(in: environment)
    // A table that is lost must not be made again empty.
    if let stored { try StoreTables.checkPresence(for: stored.catalog, in: environment) }
    let steps = try goal.steps(from: stored?.catalog.document)
    guard let last = steps.last else { return try stored ?? OpenedCatalog(catalog: Catalog(CatalogDocument())) }
    let runs = try steps.map { step in
      let newCatalog = try Catalog(step.evolution.after)
      return EvolutionRun(
        step: step, oldTables: try StoreTables(step.evolution.oldCatalog, in: environment), newCatalog: newCatalog,
        newTables: try StoreTables(newCatalog, in: environment), history: history, progress: progress)
    }
    try environment.write(durability: .full) { transaction in
      for run in runs { try run.run(in: transaction, of: environment) }
    }
    return OpenedCatalog(catalog: try Catalog(last.evolution.result))
  }
}
