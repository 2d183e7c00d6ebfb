import KeyValueStore

extension RecordSnapshot {
  /// Chooses how a query is answered.
  ///
  /// - Throws: `QueryError` for what does not fit the entity; what looking into indexes throws.
  package func plan(_ query: RecordQuery) throws -> QueryPlan {
    QueryPlan(query: query, filter: try RecordFilter(query.condition, of: query.entity, in: catalog))
  }

  /// Runs a closure on the rows of a query, in its order.
  ///
  /// - Parameters:
  ///   - plan: The plan of the query, made by any snapshot of this store.
  ///   - accepting: A further condition, asked only of rows of which the query's own is true, and before they count for offset
  ///     and limit.
  ///   - body: Like `accepting`, must not write in the transaction that it reads from.
  /// - Throws: `QueryError` for what cannot be calculated, `RecordError.damagedRecord` and `.damagedEntry`, and what the
  ///   closures throw.
  package func run(
    _ plan: QueryPlan, accepting: ((RowNumber, RecordView) throws -> Bool)? = nil,
    _ body: (RowNumber, RecordView) throws -> ScanStep
  ) throws {
    let query = plan.query
    var found: [(key: [UInt8], row: RowNumber)] = []
    try forEachRecord(of: query.entity) { row, record in
      guard !query.excluding.contains(row), try plan.filter.matches(row, record, in: self),
        try accepting?(row, record) ?? true
      else { return .continue }
      found.append((try plan.query.order.key(row, record, query.entity, self), row))
      return .continue
    }
    found.sort { $0.key.lexicographicallyPrecedes($1.key) }
    for (_, row) in found.dropFirst(query.offset).prefix(query.limit ?? .max) {
      if try withRecord(row, of: query.entity, { try body(row, $0) }) == .stop { return }
    }
  }

  /// The rows of a query, in its order.
  package func rows(
    _ plan: QueryPlan, accepting: ((RowNumber, RecordView) throws -> Bool)? = nil
  ) throws -> [RowNumber] {
    var result: [RowNumber] = []
    try run(plan, accepting: accepting) { row, _ in
      result.append(row)
      return .continue
    }
    return result
  }

  /// How many rows a query has; its offset and limit count.
  package func count(
    _ plan: QueryPlan, accepting: ((RowNumber, RecordView) throws -> Bool)? = nil
  ) throws -> Int {
    try rows(plan, accepting: accepting).count
  }
}

extension Condition {
  /// Whether the condition is true of a row. Whoever asks more than once makes a `RecordFilter`.
  package func matches(
    _ row: RowNumber, _ record: RecordView, of entity: Entity, in snapshot: RecordSnapshot
  ) throws -> Bool {
    try RecordFilter(self, of: entity, in: snapshot.catalog).matches(row, record, in: snapshot)
  }
}

extension [OrderTerm] {
  fileprivate func key(
    _ row: RowNumber, _ record: RecordView, _ entity: Entity, _ snapshot: RecordSnapshot
  ) throws -> [UInt8] {
    var encoder = KeyEncoder()
    for term in self {
      let start = encoder.bytes.count
      encoder.append(try term.operand.value(row, record, entity, snapshot), in: term.textOrder)
      if !term.isAscending { encoder.invert(from: start) }
    }
    encoder.append(row)
    return encoder.bytes
  }
}

extension KeyEncoder {
  mutating func append(_ value: FieldValue, in textOrder: TextOrder) {
    switch value {
    case .null: appendNull()
    case .bool(let value): append(value)
    case .int(let value): append(value)
    case .uint(let value): append(value)
    case .float(let value): append(Double(value))
    case .double(let value): append(value)
    case .date(let value): append(dateSeconds: value.timeIntervalSinceReferenceDate)
    case .decimal(let value): append(value)
    case .uuid(let value): append(value)
    case .string(let value), .url(let value): append(value)
    case .data(let value), .composite(let value): value.withUnsafeBytes { append(data: $0) }
    }
  }

  mutating func invert(from start: Int) {
    for position in start..<bytes.count { bytes[position] = ~bytes[position] }
  }
}
