import Foundation
import Records

/// What one commit did, by model class.
///
/// It names rows and properties, not values: what a row holds is read from the store, where it may have changed again. A row that one
/// commit inserts and deletes is not in it. Rows of entities that the container has no class for are left out, so there may be none.
public struct CommittedChanges: Sendable {
  private let changes: ChangeSet
  private let models: HistoryModels

  init(_ changes: ChangeSet, _ models: HistoryModels) {
    self.changes = changes
    self.models = models
  }

  /// Who wrote: the `author` of the context, or nil for the application's own edits.
  public var author: String? { changes.author }
  /// The commit's place in the history, from which `changes(since:)` goes on; nil if the store keeps none.
  public var token: DefaultHistoryToken? {
    changes.token.map { DefaultHistoryToken($0, of: models.storeIdentifier) }
  }
  /// When it was made, by the clock of the machine; nil if the store keeps no history.
  public var timestamp: Date? { changes.timestamp }

  /// The classes whose rows have changed, in the order in which the store knows them.
  public var modelTypes: [any PersistentModel.Type] { entities.map(\.binding.table.type) }

  /// The changes of one class's rows; none for a class that the container does not have.
  public subscript<Model: PersistentModel>(_ model: Model.Type) -> ModelChanges<Model> {
    guard let found = entities.first(where: { $0.binding.table === model.modelTable }) else { return ModelChanges() }
    return ModelChanges(found.changes, found.binding, storeIdentifier: models.storeIdentifier)
  }

  /// The changes of each class's rows in terms of names, for whoever treats all classes alike.
  public var rows: [RowChanges] {
    entities.map { RowChanges($0.changes, $0.binding, storeIdentifier: models.storeIdentifier) }
  }

  /// Whether it names no row.
  public var isEmpty: Bool { entities.isEmpty }

  private var entities: [(binding: ModelBinding, changes: ChangeSet.EntityChanges)] {
    changes.entities.sorted { $0.key < $1.key }.compactMap { entity, changes in
      changes.isEmpty ? nil : models.binding(of: entity).map { ($0, changes) }
    }
  }
}

/// What a commit did to the rows of one model class, by name.
public struct RowChanges: Sendable, Hashable {
  /// The name of the class.
  public let modelName: String
  /// The rows that were made, in the order of their numbers.
  public let inserted: [PersistentIdentifier]
  /// The rows that were changed.
  public let updated: [Update]
  /// The rows that were deleted.
  public let deleted: [PersistentIdentifier]

  /// The update of a row.
  public struct Update: Sendable, Hashable {
    /// The row.
    public let identifier: PersistentIdentifier
    /// The names of the attributes and relationships that differ, in the order of their declaration; none when equal values were
    /// assigned.
    public let propertyNames: [String]
  }

  init(_ changes: ChangeSet.EntityChanges, _ binding: ModelBinding, storeIdentifier: String) {
    let name = binding.table.name
    let identifier = { PersistentIdentifier(entityName: name, storeIdentifier: storeIdentifier, row: $0) }
    let properties = HistoryProperties(binding)
    modelName = name
    inserted = changes.inserted.map(identifier)
    updated = changes.updated.sorted { $0.key < $1.key }.map { row, numbers in
      Update(identifier: identifier(row), propertyNames: properties.changed(numbers).map(\.name))
    }
    deleted = changes.deleted.map(identifier)
  }
}
