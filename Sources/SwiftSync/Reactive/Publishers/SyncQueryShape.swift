import Foundation
import Records

/// Which rows a live query shows, in which order, and what it is refreshed by: all forms of a query as one value.
///
/// ```swift
/// var shape = SyncQueryShape(Task.self, relationship: \.project, relationshipID: 7, sortBy: [SortDescriptor(\.title)])
/// shape.limit = 50
/// let publisher = SyncQueryPublisher(shape, in: container)
/// ```
public struct SyncQueryShape<Model: PersistentModel> {
  /// Which rows; all of them if nil. With a relationship, rows for which both hold.
  public var predicate: Predicate<Model>?
  /// The order, most significant first.
  public var sortBy: [SortDescriptor<Model>]
  /// How many rows at most.
  public var limit: Int?
  /// How many rows are passed over first.
  public var offset: Int?
  /// More relationships whose objects are shown with a row: `\.project?.owner`. Those that lead from a row itself always count.
  public var refreshOn: [PartialKeyPath<Model>]
  var scope: ReadScope?

  /// All rows, or those that a predicate is true of.
  public init(
    _ model: Model.Type = Model.self, predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = [],
    limit: Int? = nil, offset: Int? = nil, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
    self.limit = limit
    self.offset = offset
    self.refreshOn = refreshOn
  }

  /// The rows of which a to-one relationship leads to the object with an identity.
  public init<Related: SyncModelable>(
    _ model: Model.Type = Model.self, relationship: ReferenceWritableKeyPath<Model, Related?>,
    relationshipID: Related.SyncID, predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = [],
    limit: Int? = nil, offset: Int? = nil, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.init(model, predicate: predicate, sortBy: sortBy, limit: limit, offset: offset, refreshOn: refreshOn)
    scope = ReadScope(Related.self, id: relationshipID, by: relationship)
  }

  /// The same for a relationship that always leads to an object.
  public init<Related: SyncModelable>(
    _ model: Model.Type = Model.self, relationship: ReferenceWritableKeyPath<Model, Related>,
    relationshipID: Related.SyncID, predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = [],
    limit: Int? = nil, offset: Int? = nil, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.init(model, predicate: predicate, sortBy: sortBy, limit: limit, offset: offset, refreshOn: refreshOn)
    scope = ReadScope(Related.self, id: relationshipID, by: relationship)
  }

  /// The rows of which a to-many relationship has the object with an identity among its members.
  public init<Related: SyncModelable>(
    _ model: Model.Type = Model.self, relationship: ReferenceWritableKeyPath<Model, [Related]>,
    relationshipID: Related.SyncID, predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = [],
    limit: Int? = nil, offset: Int? = nil, refreshOn: [PartialKeyPath<Model>] = []
  ) {
    self.init(model, predicate: predicate, sortBy: sortBy, limit: limit, offset: offset, refreshOn: refreshOn)
    scope = ReadScope(Related.self, id: relationshipID, by: relationship)
  }
}

extension SyncQueryShape where Model: SyncModelable {
  /// The row with a sync identity.
  public init(_ model: Model.Type = Model.self, id: Model.SyncID, refreshOn: [PartialKeyPath<Model>] = []) {
    self.init(model, limit: 1, refreshOn: refreshOn)
    scope = ReadScope(Model.self, id: id)
  }
}

extension SyncQueryShape {
  /// What is asked for, without the values: queries that differ only in these are one line of a report.
  func description(in binding: ModelBinding) -> String {
    var parts: [String] = []
    if let scope {
      let name = scope.relationship.flatMap { binding.table.property(at: $0)?.name }
      parts.append(name.map { "by \($0)" } ?? "by identity")
    }
    if predicate != nil { parts.append("by predicate") }
    let writer = ExpressionWriter()
    let order = sortBy.map { descriptor in
      descriptor.keyPath.map { writer.property($0, of: Model.self) } ?? "a comparison"
    }
    if !order.isEmpty { parts.append("sorted by \(order.joined(separator: ", "))") }
    if let limit { parts.append("at most \(limit)") }
    if let offset, offset > 0 { parts.append("from \(offset)") }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }
}
