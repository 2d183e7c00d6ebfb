import Records

/// What a commit did to the rows of one model class.
public struct ModelChanges<Model: PersistentModel>: Sendable {
  /// The rows that were made, in the order of their numbers.
  public let inserted: [PersistentIdentifier]
  /// The rows that were changed.
  public let updated: [Update]
  /// The rows that were deleted.
  public let deleted: [Deletion]

  /// The update of a row.
  public struct Update: Sendable {
    /// The row.
    public let identifier: PersistentIdentifier
    let changed: [ModelProperty]

    /// The attributes and relationships that differ, in the order of their declaration; none when equal values were assigned.
    public var properties: [PartialKeyPath<Model>] { changed.compactMap { $0.keyPath as? PartialKeyPath<Model> } }

    /// Whether a property differs.
    public func changes(_ property: PartialKeyPath<Model>) -> Bool {
      let sought: AnyKeyPath = property
      return changed.contains { ($0.keyPath as AnyKeyPath) == sought }
    }
  }

  /// The deletion of a row.
  public struct Deletion: Sendable {
    /// The row.
    public let identifier: PersistentIdentifier
    /// The values of the attributes that are marked `.preserveValueOnDeletion`.
    public let tombstone: HistoryTombstone<Model>
  }

  /// Whether no row has changed.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  init() {
    inserted = []
    updated = []
    deleted = []
  }

  init(_ changes: ChangeSet.EntityChanges, _ binding: ModelBinding, storeIdentifier: String) {
    let name = binding.table.name
    let identifier = { PersistentIdentifier(entityName: name, storeIdentifier: storeIdentifier, row: $0) }
    let properties = HistoryProperties(binding)
    inserted = changes.inserted.map(identifier)
    updated = changes.updated.sorted { $0.key < $1.key }.map { row, numbers in
      Update(identifier: identifier(row), changed: properties.changed(numbers))
    }
    deleted = changes.deleted.enumerated().map { position, row in
      Deletion(
        identifier: identifier(row), tombstone: HistoryTombstone(properties.preserved(changes.tombstones, at: position))
      )
    }
  }
}
