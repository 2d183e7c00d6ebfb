import Records

extension SyncRequest {
  /// The properties that the row of an item has something to say about, beside its identity: under whose keys there is something, null and
  /// what can't be read included.
  ///
  /// - Parameters:
  ///   - catalog: The store's.
  ///   - plans: Its mapping plans.
  /// - Returns: Their numbers; none for an entity that the catalog does not have.
  /// - Throws: `SyncError.invalidPayload` for a payload that has no row.
  package func mentionedProperties(in catalog: Catalog, plans: MappingPlans) throws -> PropertySet {
    guard let plan = plans.plan(for: entity, in: catalog, convention: convention) else { return PropertySet() }
    return try readRows { rows, _, _ in
      var mentioned = PropertySet()
      guard let row = rows.first else { return mentioned }
      let reader = RowReader(plan.keys)
      // What it has read is in its own memory.
      withExtendedLifetime(reader) {
        let values = reader.read(row)
        for attribute in plan.attributes where attribute.candidates.contains(where: { values.value($0) != nil }) {
          mentioned.insert(attribute.attribute.propertyIndex)
        }
        for relationship in plan.relationships where relationship.find(in: values) != nil {
          mentioned.insert(relationship.relationship.propertyIndex)
        }
      }
      return mentioned
    }
  }
}
