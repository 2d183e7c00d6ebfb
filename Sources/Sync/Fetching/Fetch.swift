import KeyValueStore
import Records

/// One fetch in one snapshot: what it asks of the store, and of the unsaved objects of its context.
///
/// New and edited objects are judged by what they show; all others by what is stored. So an edit decides about its own object, and
/// not about others whose predicate leads to it.
struct Fetch {
  /// What is asked of one of the store's entities.
  private struct Part {
    let table: Entity
    let condition: Condition
    let order: [OrderTerm]
    /// Rows of objects that are judged by themselves, or deleted.
    let excluded: Set<RowNumber>
  }

  private let context: ManagedObjectContext
  private let request: FetchRequest
  private let snapshot: RecordSnapshot
  private let parts: [Part]
  /// The unsaved objects that are of the entity.
  private let pending: [ManagedObject]

  /// - Throws: `ManagedObjectError.unknownEntity`, `ObjectPredicateError`.
  init(_ request: FetchRequest, in context: ManagedObjectContext, _ snapshot: RecordSnapshot) throws {
    self.context = context
    self.request = request
    self.snapshot = snapshot
    let store = try context.store()
    let binding = try store.binding(request.entityName)
    let isWanted = { (object: ManagedObject) in
      request.includesSubentities
        ? object.entity.isKind(of: request.entityName) : object.entity.name == request.entityName
    }
    let unsaved = request.includesPendingChanges ? context.unsaved : Unsaved()
    pending = (unsaved.updated.objects + unsaved.inserted.objects).filter(isWanted)
    let excluded = (unsaved.updated.objects + unsaved.deleted.objects).filter(isWanted)
    let tables = store.model.storage.tables[request.entityName] ?? []
    let conditions = try PredicateCompiler.conditions(
      request.predicate, of: request.entityName, in: store.model, snapshot.catalog, store: store.records.identifier)
    let resolver = PathResolver(model: store.model, catalog: snapshot.catalog)
    parts = try zip(tables, conditions).map { stored, asked in
      let table = asked.entity
      var condition = asked.condition
      if !request.includesSubentities, let field = table.attribute(named: StoredModel.entityAttribute)?.field {
        condition = .all([condition, .oneOf(field, [.string(request.entityName)])])
      }
      let order = try request.sortDescriptors.map { sort in
        try sort.term(resolver.resolve(sort.key, from: binding.entity, in: stored))
      }
      return Part(
        table: table, condition: condition, order: order,
        excluded: Set(excluded.filter { $0.binding.table === table }.compactMap(\.storedRow)))
    }
  }

  private var offset: Int { max(0, request.fetchOffset) }
  private var limit: Int? { request.fetchLimit.map { max(0, $0) } }
  /// How many objects are enough when the first ones are passed over afterwards.
  private var enough: Int? {
    limit.map { $0.addingReportingOverflow(offset) }.map { $0.overflow ? .max : $0.partialValue }
  }

  /// The objects, in order.
  func objects() throws -> [ManagedObject] {
    if let part = parts.first, parts.count == 1, pending.isEmpty {
      return try objects(of: part, offset: offset, limit: limit)
    }
    var found: [Candidate] = []
    for (position, part) in parts.enumerated() {
      for object in try objects(of: part, offset: 0, limit: enough) + matches(of: part) {
        found.append(Candidate(object, position, try keys(of: object, part)))
      }
    }
    found.sort()
    let rest = found.dropFirst(offset)
    return (limit.map { rest.prefix($0) } ?? rest).map(\.object)
  }

  /// How many objects there are.
  func count() throws -> Int {
    var count = 0
    for part in parts {
      let query = RecordQuery(part.table, where: part.condition, limit: enough, excluding: part.excluded)
      count += try snapshot.count(query) + matches(of: part).count
    }
    let rest = max(0, count - offset)
    return limit.map { min(rest, $0) } ?? rest
  }

  private func objects(of part: Part, offset: Int, limit: Int?) throws -> [ManagedObject] {
    let query = RecordQuery(
      part.table, where: part.condition, order: part.order, offset: offset, limit: limit, excluding: part.excluded)
    var found: [ManagedObject] = []
    try snapshot.run(try snapshot.plan(query)) { row, record in
      if let object = try context.current(row, record, part.table) { found.append(object) }
      return .continue
    }
    return found
  }

  /// The unsaved objects of a part that the predicate is true of.
  private func matches(of part: Part) throws -> [ManagedObject] {
    try pending.filter { object in
      guard object.binding.table === part.table else { return false }
      if let row = object.storedRow, try !snapshot.contains(row, of: part.table) { return false }
      return try ObjectJudge.isTrue(part.condition, of: object)
    }
  }

  private func keys(of object: ManagedObject, _ part: Part) throws -> [[UInt8]] {
    try part.order.map { term in
      try ObjectJudge.value(term.operand, of: object).sortKey(ascending: term.isAscending, text: term.textOrder)
    }
  }

  /// An object with what it is sorted by.
  private struct Candidate: Comparable {
    let object: ManagedObject
    let keys: [[UInt8]]
    let part: Int

    init(_ object: ManagedObject, _ part: Int, _ keys: [[UInt8]]) {
      self.object = object
      self.part = part
      self.keys = keys
    }

    static func == (left: Candidate, right: Candidate) -> Bool { left.object === right.object }

    static func < (left: Candidate, right: Candidate) -> Bool {
      for (leftKey, rightKey) in zip(left.keys, right.keys) where leftKey != rightKey {
        return leftKey.lexicographicallyPrecedes(rightKey)
      }
      return (left.part, left.object.row) < (right.part, right.object.row)
    }
  }
}

extension ObjectSort {
  /// The same as a term of a query.
  /// - Throws: `ObjectPredicateError` for a path that does not lead to one value.
  func term(_ path: PredicatePath) throws(ObjectPredicateError) -> OrderTerm {
    if path.isToMany { throw .severalValues(path: key) }
    let order: Records.TextOrder = textOrder == .literal ? .lexical : .localizedStandard
    return OrderTerm(path.operand(behind: path.hops[...]), ascending: ascending, text: order)
  }
}
