import Records

/// Where the objects come from on which a fetch evaluates and sorts what the store cannot.
enum RowObjects {
  /// The context's own, whose unsaved edits count.
  case context(ModelContext)
  /// Objects that nobody else has. They show what is stored, whatever is unsaved.
  case stored(ObjectGraph)

  var core: ContainerCore {
    switch self {
    case .context(let context): context.core
    case .stored(let graph): graph.core
    }
  }

  /// The object of a row that has just been read.
  func object(
    _ row: RowNumber, _ record: RecordView, _ binding: ModelBinding, in snapshot: RecordSnapshot
  ) throws -> any PersistentModel {
    switch self {
    case .context(let context): try context.current(row, record, binding, in: snapshot)
    case .stored(let graph):
      try graph.registered[row, binding.entity.id] ?? graph.make(row, record, binding, in: snapshot)
    }
  }

  /// Runs a closure that reads properties of the objects.
  ///
  /// - Throws: what the closure throws, and why a relationship of an object that nobody else has could not be read. A context
  ///   keeps that to itself until the fetch is through.
  func reading<Result>(in snapshot: RecordSnapshot, _ body: () throws -> Result) throws -> Result {
    guard case .stored(let graph) = self else { return try body() }
    let result = try graph.reading(in: snapshot, body)
    try graph.throwFailure()
    return result
  }
}
