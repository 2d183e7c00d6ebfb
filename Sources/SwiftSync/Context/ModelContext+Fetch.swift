import Foundation
import KeyValueStore
import Records

extension ModelContext {
  /// The objects that a descriptor describes, from one snapshot of the store and the unsaved state of this context: new
  /// objects are found, edited ones are judged by their edits, deleted ones are left out.
  ///
  /// Registered objects without edits are brought up to date.
  /// - Throws: `ModelError.unknownModel`, `ModelError.unreadableValue`, what the predicate throws, `StoreError` and
  ///   `RecordError`; also why a relationship that was read since the last fetch or save was not readable.
  /// - Complexity: O(n) in the rows of the entity, unless a limit without a sort order stops it early.
  public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
    try graph.throwFailure()
    let binding = try core.binding(of: Model.self)
    let offset = max(0, descriptor.fetchOffset ?? 0)
    let limit = descriptor.fetchLimit.map { max(0, $0) }
    // Without an order any rows will do, so the scan can end as soon as there are enough.
    let enough = descriptor.sortBy.isEmpty ? limit.map { $0.addingReportingOverflow(offset).partialValue } : nil
    var found: [Model] = []

    if enough != 0 {
      try read { snapshot in
        try snapshot.forEachRecord(of: binding.entity) { row, record in
          guard let model = try current(row, record, binding) as? Model, model._$backing.state == .stored,
            try descriptor.predicate?.evaluate(model) ?? true
          else { return .continue }
          found.append(model)
          return found.count == enough ? .stop : .continue
        }
      }
      for case let model as Model in inserted.objects where try descriptor.predicate?.evaluate(model) ?? true {
        found.append(model)
      }
    }
    if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
    let rest = found.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// How many objects `fetch` would return.
  /// - Complexity: O(1) without a predicate where nothing of the model is unsaved, otherwise that of `fetch`.
  public func fetchCount<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> Int {
    try graph.throwFailure()
    let binding = try core.binding(of: Model.self)
    guard descriptor.predicate == nil, !inserted.objects.contains(where: { $0 is Model }),
      !deleted.objects.contains(where: { $0 is Model })
    else {
      var unordered = descriptor
      unordered.sortBy = []
      return try fetch(unordered).count
    }
    let stored = try read { try $0.count(of: binding.entity) }
    let rest = max(0, stored - max(0, descriptor.fetchOffset ?? 0))
    return descriptor.fetchLimit.map { min(max(0, $0), rest) } ?? rest
  }

  /// The object of a row that has just been read: the registered one, brought up to date, or a new one.
  private func current(_ row: RowNumber, _ record: RecordView, _ binding: ModelBinding) throws -> any PersistentModel {
    guard let known = graph.registered[row, binding.entity.id] else { return try graph.make(row, record, binding) }
    try update(known, from: record, row, binding)
    return known
  }
}
