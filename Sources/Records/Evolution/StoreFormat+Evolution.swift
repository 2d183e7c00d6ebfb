import KeyValueStore

extension StoreFormat {
  /// Makes a store follow an evolution, in one transaction.
  ///
  /// Tables cannot be made inside of it, so they come first: an interruption leaves tables that no catalog names, with the
  /// next free numbers, and empty. A later evolution finds them so.
  static func evolve(
    _ evolution: CatalogEvolution, in environment: Environment,
    progress: @escaping @Sendable (EvolutionProgress) -> Void
  ) throws {
    let newCatalog = try Catalog(evolution.after)
    let run = EvolutionRun(
      evolution: evolution, oldTables: try StoreTables(evolution.oldCatalog, in: environment), newCatalog: newCatalog,
      newTables: try StoreTables(newCatalog, in: environment), progress: progress)
    try environment.write(durability: .full) { try run.run(in: $0) }
  }
}
