import Records

extension StoreSchema {
  /// Items in folders with tags: an identity, an index, a relationship of each cardinality, and contents of which large ones
  /// lie outside of the records.
  static let board = StoreSchema(entities: [
    EntityDescription(
      name: "Item",
      attributes: [
        AttributeDescription(name: "id", type: .int64, options: .unique),
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "weight", type: .int64, isOptional: true),
        AttributeDescription(name: "note", type: .string, isOptional: true, options: .externalStorage),
      ],
      relationships: [
        RelationshipDescription(name: "folder", destination: "Folder", isToMany: false, inverse: "items"),
        RelationshipDescription(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
      ],
      identity: "id",
      indexes: [["weight"]]),
    EntityDescription(
      name: "Folder",
      attributes: [AttributeDescription(name: "id", type: .int64, options: .unique)],
      relationships: [RelationshipDescription(name: "items", destination: "Item", isToMany: true, inverse: "folder")],
      identity: "id"),
    EntityDescription(
      name: "Tag",
      attributes: [AttributeDescription(name: "id", type: .int64, options: .unique)],
      relationships: [RelationshipDescription(name: "items", destination: "Item", isToMany: true, inverse: "tags")],
      identity: "id"),
  ])
}
