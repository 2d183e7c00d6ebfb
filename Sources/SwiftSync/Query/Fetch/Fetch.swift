import Foundation
import KeyValueStore
import Records

/// One fetch in one snapshot: what it asks of the store, and of the unsaved objects of its context.
struct Fetch<Model: PersistentModel> {
  private let context: ModelContext
  private let snapshot: RecordSnapshot
  private let descriptor: FetchDescriptor<Model>
  private let binding: ModelBinding
  private let predicate: CompiledPredicate<Model>?
  /// The order in the store's terms; nil if it takes objects to sort.
  private let order: [OrderTerm]?
  private let unsaved: UnsavedObjects<Model>

  /// What was found: a row, or an object that has none yet.
  enum Item {
    case row(RowNumber)
    case object(Model)

    init(_ model: Model) {
      self = model._$backing.storedRow.map { .row($0) } ?? .object(model)
    }
  }

  /// - Throws: `ModelError.unknownModel`.
  init(_ descriptor: FetchDescriptor<Model>, in context: ModelContext, _ snapshot: RecordSnapshot) throws {
    self.context = context
    self.snapshot = snapshot
    self.descriptor = descriptor
    let binding = try context.core.binding(of: Model.self)
    self.binding = binding
    let includesUnsaved = descriptor.includePendingChanges && context.unsaved.hasObjects
    unsaved = includesUnsaved ? UnsavedObjects(in: context) : .none
    let pending = includesUnsaved ? PendingEntities(of: context) : .none
    predicate = try descriptor.predicate.map { try CompiledPredicate($0, binding, in: context, pending) }
    order = descriptor.storeOrder(binding, in: context.core, pending)
  }

  private var offset: Int { max(0, descriptor.fetchOffset ?? 0) }
  private var limit: Int? { descriptor.fetchLimit.map { max(0, $0) } }
  /// How many objects are enough when the first ones are passed over afterwards.
  private var enough: Int? {
    limit.map { limit in
      let (sum, overflow) = limit.addingReportingOverflow(offset)
      return overflow ? .max : sum
    }
  }

  // MARK: Results

  /// The objects, registered ones brought up to date.
  func objects() throws -> [Model] {
    let unsaved = try unsavedMatches()
    let isFinished = unsaved.isEmpty && order != nil
    var found: [Model] = []
    try snapshot.run(plan(isFinished: isFinished), accepting: acceptance) { row, record in
      if let model = try context.current(row, record, binding, in: snapshot) as? Model { found.append(model) }
      return .continue
    }
    if isFinished { return found }
    found += unsaved
    if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
    return sliced(found)
  }

  /// The rows and new objects, in order. Makes objects only if it takes some to tell or to sort.
  func items() throws -> [Item] {
    let unsaved = try unsavedMatches()
    guard order != nil, unsaved.isEmpty || descriptor.sortBy.isEmpty else { return try objects().map(Item.init) }
    let found = try snapshot.rows(plan(isFinished: unsaved.isEmpty), accepting: acceptance).map { Item.row($0) }
    return unsaved.isEmpty ? found : sliced(found + unsaved.map(Item.init))
  }

  /// How many objects there are.
  func count() throws -> Int {
    let found = try snapshot.count(query(limit: enough), accepting: acceptance) + unsavedMatches().count
    let rest = max(0, found - offset)
    return limit.map { min(rest, $0) } ?? rest
  }

  /// How the fetch is answered, in a few lines.
  func explanation() throws -> String {
    let isFinished = order != nil && unsaved.changed.isEmpty && unsaved.inserted.isEmpty
    var lines = [try plan(isFinished: isFinished).description]
    lines += predicate?.evaluatedParts.map { "evaluate: \($0)" } ?? []
    if order == nil { lines.append("sort: objects") }
    let judged = unsaved.changed.count + unsaved.inserted.count
    if judged > 0 { lines.append("unsaved: \(judged) objects, judged by themselves") }
    return lines.joined(separator: "\n")
  }

  // MARK: Steps

  /// How the rows are found, without those of unsaved objects. If nothing is added or sorted afterwards, only those between
  /// offset and limit are wanted.
  private func plan(isFinished: Bool) throws -> QueryPlan {
    try snapshot.plan(
      isFinished ? query(offset: offset, limit: limit) : query(limit: order == nil ? nil : enough))
  }

  private func query(offset: Int = 0, limit: Int? = nil) -> RecordQuery {
    RecordQuery(
      binding.entity, where: predicate?.condition ?? .always, order: order ?? [], offset: offset, limit: limit,
      excluding: unsaved.rows)
  }

  private func sliced<Element>(_ found: [Element]) -> [Element] {
    let rest = found.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// What has to be evaluated on rows; nil if the store knows all.
  private var acceptance: ((RowNumber, RecordView) throws -> Bool)? {
    guard let predicate, !predicate.isExact else { return nil }
    return { row, record in try predicate.accepts(row, record, in: snapshot) }
  }

  /// The unsaved objects that the predicate is true of. One whose row another context has deleted is none of them.
  private func unsavedMatches() throws -> [Model] {
    let changed = try unsaved.changed.filter { model in
      guard let row = model._$backing.storedRow else { return false }
      let isPresent: Void? = try snapshot.withRecord(row, of: binding.entity) { record in
        _ = try context.current(row, record, binding, in: snapshot)
      }
      return isPresent != nil
    }
    return try (changed + unsaved.inserted).filter { try predicate?.accepts($0) ?? true }
  }
}
