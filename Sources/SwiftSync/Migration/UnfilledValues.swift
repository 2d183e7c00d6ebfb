import Records

/// What rows may be without until a stage's `didMigrate` has ended: values that they must have and that the stage gives them,
/// and values of types that were other ones in the version before, which read them as something else.
struct UnfilledValues: Sendable {
  /// The types of the properties of the version before.
  private let earlierTypes: Set<ObjectIdentifier>

  init(after version: Schema) {
    earlierTypes = Set(version.modelTypes.flatMap { $0.modelTable.properties.map(\.valueType) })
  }

  /// What an object has in place of a value that its class cannot read: what the declaration begins with, or null, for which every
  /// attribute has a stand-in. Nil where the stage has nothing to do with it: then the value is unreadable, as it was before.
  func placeholder(for value: FieldValue, of property: ModelProperty) -> FieldValue? {
    guard value == .null || isOfNewType(property) else { return nil }
    return property.defaultValue ?? .null
  }

  /// Looks whether the class can read everything that the stage has left, in the entities that have properties of a new type.
  ///
  /// - Throws: `ModelError.unreadableValue` for the first value that it cannot.
  func checkFilled(_ schema: Schema, _ storeSchema: StoreSchema, in store: RecordStore) throws {
    try store.read { snapshot in
      for type in schema.modelTypes {
        let binding = try ModelBinding(type.modelTable, schema: storeSchema, store.catalog)
        guard binding.checksValues(where: isOfNewType) else { continue }
        try snapshot.forEachRecord(of: binding.entity) { row, record in
          _ = try binding.record(record, of: row, in: snapshot)
          return .continue
        }
      }
    }
  }

  private func isOfNewType(_ property: ModelProperty) -> Bool {
    !earlierTypes.contains(property.valueType)
  }
}

extension ModelProperty {
  fileprivate var valueType: ObjectIdentifier { ObjectIdentifier(type(of: keyPath).valueType) }
}
