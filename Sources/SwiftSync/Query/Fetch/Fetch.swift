import Foundation
import KeyValueStore
import Records

/// One fetch in one snapshot: what it asks of the store, and of the unsaved objects of its context.
struct Fetch<Model: PersistentModel> {
  private let context: ModelContext
  let snapshot: RecordSnapshot
  private let descriptor: FetchDescriptor<Model>
  let binding: ModelBinding
  private let predicate: CompiledPredicate<Model>?
  /// What must be true of stored rows beside the predicate.
  private let scope: Condition
  /// The order in the store's terms; nil if it takes objects to sort.
  private let order: [OrderTerm]?
  private let unsaved: UnsavedObjects<Model>
  /// Where the objects come from on which the predicate is evaluated, and which are sorted if it takes objects.
  private let judged: RowObjects

  /// What was found: a row, or an object that has none yet.
  enum Item {
    case row(RowNumber)
    case object(Model)

    init(_ model: Model) {
      self = model._$backing.storedRow.map { .row($0) } ?? .object(model)
    }
  }

  /// - Throws: `ModelError.unknownModel`.
  init(
    _ descriptor: FetchDescriptor<Model>, within scope: Condition = .always, in context: ModelContext,
    _ snapshot: RecordSnapshot
  ) throws {
    self.context = context
    self.scope = scope
    self.snapshot = snapshot
    self.descriptor = descriptor
    let binding = try context.core.binding(of: Model.self)
    self.binding = binding
    let includesUnsaved = descriptor.includePendingChanges && context.unsaved.hasObjects
    unsaved = includesUnsaved ? UnsavedObjects(in: context) : .none
    let pending = includesUnsaved ? PendingEntities(of: context) : .none
    // While nothing is unsaved, the context's own objects show what is stored.
    let judged: RowObjects =
      includesUnsaved || !context.unsaved.hasObjects ? .context(context) : .stored(ObjectGraph(core: context.core))
    self.judged = judged
    predicate = try descriptor.predicate.map { try CompiledPredicate($0, binding, on: judged, pending) }
    order = descriptor.storeOrder(binding, in: context.core, pending)
  }

  var window: RowWindow { RowWindow(offset: offset, limit: limit) }

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
    try objects(with: unsavedMatches())
  }

  private func objects(with unsaved: [Model]) throws -> [Model] {
    guard order != nil, unsaved.isEmpty else { return try sortedObjects(with: unsaved) }
    var found: [Model] = []
    try snapshot.run(plan(isFinished: true), accepting: acceptance) { row, record in
      if let model = try object(row, record) { found.append(model) }
      return .continue
    }
    return found
  }

  /// Sorts objects: because it takes some to compare, or because unsaved ones are among them.
  private func sortedObjects(with unsaved: [Model]) throws -> [Model] {
    var found = unsaved
    try snapshot.run(plan(isFinished: false), accepting: acceptance) { row, record in
      if let model: Model = binding.model(try judged.object(row, record, binding, in: snapshot)) { found.append(model) }
      return .continue
    }
    try judged.reading(in: snapshot) { ObjectOrder(descriptor.sortBy).sort(&found) }
    let result = sliced(found)
    guard case .stored = judged else { return result }
    return try result.compactMap { model in
      try model._$backing.storedRow.flatMap { row in
        try snapshot.withRecord(row, of: binding.entity) { try object(row, $0) }
      } ?? nil
    }
  }

  /// The rows and new objects, in order. Makes objects only if it takes some to tell or to sort.
  func items() throws -> [Item] {
    let unsaved = try unsavedMatches()
    guard order != nil, unsaved.isEmpty || descriptor.sortBy.isEmpty else {
      return try objects(with: unsaved).map(Item.init)
    }
    let found = try snapshot.rows(plan(isFinished: unsaved.isEmpty), accepting: acceptance)
    if unsaved.isEmpty { return found.map { .row($0) } }
    let rows = (found + unsaved.compactMap(\._$backing.storedRow)).sorted()
    return sliced(rows.map { .row($0) } + unsaved.filter { $0._$backing.storedRow == nil }.map { .object($0) })
  }

  /// How many objects there are.
  func count() throws -> Int {
    let found = try snapshot.count(query(limit: enough), accepting: acceptance) + unsavedMatches().count
    let rest = max(0, found - offset)
    return limit.map { min(rest, $0) } ?? rest
  }

  // MARK: Explanations

  /// How the objects are found, in a few lines.
  func explanation() throws -> String {
    let isFinished = order != nil && unsaved.changed.isEmpty && unsaved.inserted.isEmpty
    return explanation(try plan(isFinished: isFinished), more: order == nil ? ["sort: objects"] : [])
  }

  /// How they are counted, in a few lines.
  func countExplanation() throws -> String {
    let isJudged = acceptance != nil
    let plan = try snapshot.countPlan(query(limit: enough), isJudged: isJudged)
    let counting =
      switch plan.counting(isJudged: isJudged) {
      case .byNumberOfRows: "count: the number of all rows, which is kept"
      case .byEntries: "count: entries, without reading rows"
      case .byRows: "count: rows that are read"
      }
    return explanation(plan, more: [counting])
  }

  private func explanation(_ plan: QueryPlan, more: [String]) -> String {
    var lines = [plan.description]
    lines += predicate?.evaluatedParts.map { "evaluate: \($0)" } ?? []
    lines += more
    let judged = unsaved.changed.count + unsaved.inserted.count
    if judged > 0 { lines.append("unsaved: \(judged) objects, judged by themselves") }
    return lines.joined(separator: "\n")
  }

  // MARK: Steps

  /// How the rows are found, without those of unsaved objects. If nothing is added or sorted afterwards, only those between
  /// offset and limit are wanted.
  func plan(isFinished: Bool) throws -> QueryPlan {
    try snapshot.plan(
      isFinished ? query(offset: offset, limit: limit) : query(limit: order == nil ? nil : enough))
  }

  func query(offset: Int = 0, limit: Int? = nil, scanned: ClosedRange<RowNumber>? = nil) -> RecordQuery {
    RecordQuery(
      binding.entity, where: .both(scope, predicate?.condition ?? .always), order: order ?? [], offset: offset,
      limit: limit,
      excluding: unsaved.rows, scanned: scanned)
  }

  /// The context's object of a row that has just been read.
  func object(_ row: RowNumber, _ record: RecordView) throws -> Model? {
    binding.model(try context.current(row, record, binding, in: snapshot))
  }

  private func sliced<Element>(_ found: [Element]) -> [Element] {
    let rest = found.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// What has to be evaluated on rows; nil if the store knows all.
  var acceptance: ((RowNumber, RecordView) throws -> Bool)? {
    guard let predicate, !predicate.isExact else { return nil }
    return { row, record in try predicate.accepts(row, record, in: snapshot) }
  }

  /// The unsaved objects that the predicate is true of.
  func unsavedMatches() throws -> [Model] {
    try changedMatches() + unsaved.inserted.filter(accepts)
  }

  /// The edited ones among them. One whose row another context has deleted is none of them.
  func changedMatches() throws -> [Model] {
    try unsaved.changed.filter { model in
      guard let row = model._$backing.storedRow else { return false }
      let isPresent: Void? = try snapshot.withRecord(row, of: binding.entity) { record in
        _ = try context.current(row, record, binding, in: snapshot)
      }
      return try isPresent != nil && accepts(model)
    }
  }

  /// Whether the predicate is true of an object as it is in its context.
  func accepts(_ model: Model) throws -> Bool {
    try predicate?.accepts(model) ?? true
  }

  /// The new objects that the context has, whether the predicate is true of them or not.
  var inserted: [Model] { unsaved.inserted }
  /// Whether no order is asked for.
  var isUnordered: Bool { descriptor.sortBy.isEmpty }
}
