/// One change of one row.
public enum HistoryChange: Sendable {
  /// The row was made.
  case insert(any HistoryInsert)
  /// Values of the row were changed, or assigned anew.
  case update(any HistoryUpdate)
  /// The row was deleted.
  case delete(any HistoryDelete)

  /// The row.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

/// A change of a row of one model class. Cast it to `DefaultHistoryInsert<Task>` and its siblings to know which.
public protocol HistoryModelChange<Model>: Sendable {
  /// The row's class.
  associatedtype Model: PersistentModel
  /// The number of the transaction.
  var transactionIdentifier: Int64 { get }
  /// The change's place in its transaction, from 0.
  var changeIdentifier: Int64 { get }
  /// The row.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// The insertion of a row.
public protocol HistoryInsert<Model>: HistoryModelChange {}

/// The update of a row.
public protocol HistoryUpdate<Model>: HistoryModelChange {
  /// The properties that differ; empty when equal values were assigned.
  var updatedAttributes: [PartialKeyPath<Model>] { get }
}

/// The deletion of a row.
public protocol HistoryDelete<Model>: HistoryModelChange {
  /// What is preserved of the row.
  var tombstone: HistoryTombstone<Model> { get }
}

/// The insertion of a row of a SwiftSync store.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert {
  /// The number of the transaction.
  public let transactionIdentifier: Int64
  /// The change's place in its transaction, from 0.
  public let changeIdentifier: Int64
  /// The row.
  public let changedPersistentIdentifier: PersistentIdentifier
}

/// The update of a row of a SwiftSync store.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate {
  /// The number of the transaction.
  public let transactionIdentifier: Int64
  /// The change's place in its transaction, from 0.
  public let changeIdentifier: Int64
  /// The row.
  public let changedPersistentIdentifier: PersistentIdentifier
  let properties: [ModelProperty]

  /// The attributes and relationships that differ, in the order of their declaration; empty when equal values were assigned.
  public var updatedAttributes: [PartialKeyPath<Model>] {
    properties.compactMap { $0.keyPath as? PartialKeyPath<Model> }
  }
}

/// The deletion of a row of a SwiftSync store.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete {
  /// The number of the transaction.
  public let transactionIdentifier: Int64
  /// The change's place in its transaction, from 0.
  public let changeIdentifier: Int64
  /// The row.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The values of the attributes that are marked `.preserveValueOnDeletion`.
  public let tombstone: HistoryTombstone<Model>
}
