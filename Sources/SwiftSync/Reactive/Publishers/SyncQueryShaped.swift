import Foundation

/// What is made of a query: publishers and property wrappers. It gives them the forms that a query can have.
///
/// Each form can be limited further: `limit` and `offset` count the rows that are left, and `refreshOn` names relationships behind
/// those of the rows themselves whose objects are shown too.
@MainActor
public protocol SyncQueryShaped {
  /// The class of the rows.
  associatedtype Model: PersistentModel

  /// Reads the rows of a query from a container's main context.
  init(_ shape: SyncQueryShape<Model>, in syncContainer: SyncContainer)
}

extension SyncQueryShaped {
  /// Reads all rows, or those that a predicate is true of.
  public init(
    _ model: Model.Type, predicate: Predicate<Model>? = nil, in syncContainer: SyncContainer,
    sortBy: [SortDescriptor<Model>] = [], limit: Int? = nil, offset: Int? = nil,
    refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.init(
      SyncQueryShape(
        model, predicate: predicate, sortBy: sortBy, limit: limit, offset: offset, refreshOn: refreshOn),
      in: syncContainer)
  }

  /// Reads the rows of which a to-one relationship leads to the object with an identity.
  public init<Related: SyncModelable>(
    _ model: Model.Type, relationship: ReferenceWritableKeyPath<Model, Related?>, relationshipID: Related.SyncID,
    predicate: Predicate<Model>? = nil, in syncContainer: SyncContainer, sortBy: [SortDescriptor<Model>] = [],
    limit: Int? = nil, offset: Int? = nil, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.init(
      SyncQueryShape(
        model, relationship: relationship, relationshipID: relationshipID, predicate: predicate, sortBy: sortBy,
        limit: limit, offset: offset, refreshOn: refreshOn), in: syncContainer)
  }

  /// The same for a relationship that always leads to an object.
  public init<Related: SyncModelable>(
    _ model: Model.Type, relationship: ReferenceWritableKeyPath<Model, Related>, relationshipID: Related.SyncID,
    predicate: Predicate<Model>? = nil, in syncContainer: SyncContainer, sortBy: [SortDescriptor<Model>] = [],
    limit: Int? = nil, offset: Int? = nil, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.init(
      SyncQueryShape(
        model, relationship: relationship, relationshipID: relationshipID, predicate: predicate, sortBy: sortBy,
        limit: limit, offset: offset, refreshOn: refreshOn), in: syncContainer)
  }

  /// Reads the rows of which a to-many relationship has the object with an identity among its members.
  public init<Related: SyncModelable>(
    _ model: Model.Type, relationship: ReferenceWritableKeyPath<Model, [Related]>, relationshipID: Related.SyncID,
    predicate: Predicate<Model>? = nil, in syncContainer: SyncContainer, sortBy: [SortDescriptor<Model>] = [],
    limit: Int? = nil, offset: Int? = nil, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.init(
      SyncQueryShape(
        model, relationship: relationship, relationshipID: relationshipID, predicate: predicate, sortBy: sortBy,
        limit: limit, offset: offset, refreshOn: refreshOn), in: syncContainer)
  }
}
