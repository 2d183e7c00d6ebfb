import Records

extension StoreSchema {
  /// The same schema with every inverse named at both ends, whichever end declares it.
  func withInverses() -> StoreSchema {
    var entities = entities
    for index in entities.indices {
      for position in entities[index].relationships.indices {
        entities[index].relationships[position].inverse =
          inverseName(of: entities[index].relationships[position], in: entities[index])
      }
    }
    return StoreSchema(entities: entities)
  }

  /// The same schema with everything that has no order of its own sorted by name, so that applications which declare the same
  /// things in another order have the same text.
  func sortedByName() -> StoreSchema {
    var entities = entities
    for index in entities.indices {
      entities[index].attributes.sort { $0.name.isBefore($1.name) }
      entities[index].relationships.sort { $0.name.isBefore($1.name) }
      entities[index].uniquenessConstraints.sort { $0.lexicographicallyPrecedes($1, by: { $0.isBefore($1) }) }
      entities[index].indexes.sort { $0.lexicographicallyPrecedes($1, by: { $0.isBefore($1) }) }
    }
    return StoreSchema(entities: entities.sorted { $0.name.isBefore($1.name) })
  }
}

extension String {
  /// The order of names in an export: that of their UTF-8, which no version of Unicode changes.
  func isBefore(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
