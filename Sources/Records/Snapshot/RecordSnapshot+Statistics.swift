import KeyValueStore

/// Sizes and counts of the tables of an entity.
package struct EntityStatistics: Sendable {
  package var records: TableStatistics
  /// One for each of the entity's indexes, in their order.
  package var indexes: [TableStatistics]
  /// The to-many directions that start at the entity, implicit inverses among them, by the name that messages use.
  package var links: [(name: String, statistics: TableStatistics)]
}

extension RecordSnapshot {
  /// The version of the record format in which the store was written.
  package func format() throws -> UInt32 {
    guard let format = try snapshot.value(for: MetaKey.format, in: tables.meta) else {
      throw RecordError.damagedCatalog(reason: "It does not say its format.")
    }
    return format.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Sizes and counts of an entity's tables. They are kept numbers, so they cost nothing to ask.
  package func statistics(of entity: Entity) throws -> EntityStatistics {
    EntityStatistics(
      records: try snapshot.statistics(of: tables.records[entity.slot]),
      indexes: try entity.indexes.map { try snapshot.statistics(of: tables.indexes[$0.slot]) },
      links: try entity.directions.compactMap { direction in
        try tables.links[direction.slot].map { (direction.name, try snapshot.statistics(of: $0)) }
      })
  }

  /// How many links a to-many relationship has, of all rows together; zero for a to-one relationship.
  package func linkCount(of relationship: Relationship) throws -> Int {
    try settle(relationship.direction, for: nil)
    return try tables.links[relationship.direction.slot].map { try snapshot.count(in: $0) } ?? 0
  }
}
