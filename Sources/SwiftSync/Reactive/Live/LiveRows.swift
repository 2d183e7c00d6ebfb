import Foundation
import Records

/// A live query with the objects of its rows.
final class LiveRows<Model: PersistentModel>: LiveQuery {
  /// The objects, in order.
  private(set) var rows: [Model] = []
  private let descriptor: FetchDescriptor<Model>

  /// - Throws: `ModelError.unknownModel`; `SyncReadError` for a key path that leads along no relationship.
  init(
    _ shape: SyncQueryShape<Model>, in core: ContainerCore, listener: ReadListener? = nil, watchesEdits: Bool = false
  ) throws {
    var descriptor = FetchDescriptor(predicate: shape.predicate, sortBy: shape.sortBy)
    descriptor.fetchLimit = shape.limit
    descriptor.fetchOffset = shape.offset
    // A value is of one moment of the store, whatever is edited meanwhile.
    descriptor.includePendingChanges = false
    self.descriptor = descriptor
    let binding = try core.binding(of: Model.self)
    let predicate = try shape.predicate.map {
      try CompiledPredicate($0, binding, on: .stored(ObjectGraph(core: core)), .none)
    }
    let order = descriptor.storeOrder(binding, in: core, .none)
    let scope = try shape.scope?.resolved(for: binding, in: core)
    var query = RecordQuery(binding.entity, where: predicate?.condition ?? .always, order: order ?? [])
    if let scope, scope.relationship == nil {
      query.condition = .both(scope.condition(ofChangedRowsLeadingTo: []), query.condition)
    }
    var interest = try LiveInterest(
      shape, query, evaluated: predicate?.evaluatedExpressions ?? [], isSortedByStore: order != nil, in: core)
    if let scope {
      if let relationship = scope.relationship { interest.addMembership(by: relationship) }
      if scope.identity == nil { interest.addScan(of: scope.target.id) }
    }
    super.init(
      interest: interest, scope: scope, condition: query.condition,
      isExact: (predicate?.isExact ?? true) && scope?.isScan != true,
      window: Window(
        offset: max(0, shape.offset ?? 0), limit: shape.limit.map { max(0, $0) },
        places: order == nil ? nil : try OrderPlaces(query, in: core.store.catalog)),
      shape: listener == nil ? "" : shape.description(in: binding), listener: listener, watchesEdits: watchesEdits)
  }

  override func fetch(
    where scope: Condition, in context: ModelContext, _ snapshot: RecordSnapshot
  ) throws -> [RowNumber] {
    let found = try Fetch(descriptor, within: scope, in: context, snapshot).objects()
    rows = found
    return found.compactMap(\._$backing.storedRow)
  }

  /// The present value.
  var snapshot: SyncRowsSnapshot<Model> {
    SyncRowsSnapshot(
      version: version, rows: rows, failure: failure, rowNumbers: rowNumbers, rowVersions: versionsOfRows())
  }
}
