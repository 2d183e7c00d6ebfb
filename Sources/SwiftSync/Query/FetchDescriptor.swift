import Foundation

/// What to fetch: which objects, in which order, how many.
public struct FetchDescriptor<Model: PersistentModel>: Sendable {
  /// Which objects; all of them if nil.
  public var predicate: Predicate<Model>?
  /// The order; unspecified if empty.
  public var sortBy: [SortDescriptor<Model>]
  /// How many objects at most.
  public var fetchLimit: Int?
  /// How many objects are passed over first.
  public var fetchOffset: Int?
  /// Whether unsaved edits count: then new objects are found, edited ones are judged by their edits, and deleted ones are left
  /// out. Otherwise rows are judged by what is stored.
  public var includePendingChanges = true
  /// Kept for source compatibility: a relationship is read from the store when it is asked for, which is as quick.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<Model> & Sendable] = []
  /// Kept for source compatibility: an object decodes a property when it is asked for, so reading fewer saves nothing.
  public var propertiesToFetch: [PartialKeyPath<Model> & Sendable] = []

  /// Describes a fetch.
  /// - Parameters:
  ///   - predicate: which objects; all of them if nil.
  ///   - sortBy: the order, most significant first.
  public init(predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }

  /// Says in a few lines how `fetch` would find the objects: which index or relationship it starts from, what is looked at on
  /// records and what on objects, how it is sorted, and how many rows that touches.
  /// - Throws: what `fetch` throws.
  public func explain(in context: ModelContext) throws -> String {
    try context.answer(self) { try $0.explanation() }
  }

  /// Says in a few lines how `fetchCount` would count the objects. That may be by another index than `explain(in:)` names,
  /// because no order is needed and entries of an index can be counted without reading what they lead to.
  /// - Throws: what `fetchCount` throws.
  public func explainCount(in context: ModelContext) throws -> String {
    try context.answer(self) { try $0.countExplanation() }
  }
}
