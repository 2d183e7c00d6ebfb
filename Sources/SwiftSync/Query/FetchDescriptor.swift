import Foundation

/// What to fetch: which objects, in which order, how many.
public struct FetchDescriptor<Model: PersistentModel> {
  /// Which objects; all of them if nil.
  public var predicate: Predicate<Model>?
  /// The order; unspecified if empty.
  public var sortBy: [SortDescriptor<Model>]
  /// How many objects at most.
  public var fetchLimit: Int?
  /// How many objects are passed over first.
  public var fetchOffset: Int?

  /// Describes a fetch.
  /// - Parameters:
  ///   - predicate: which objects; all of them if nil.
  ///   - sortBy: the order, most significant first.
  public init(predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
