/// The order of a query, made ready to make sort keys from records.
struct RowOrder: Sendable {
  struct Term: Sendable {
    var value: FilterCode.Value
    var isAscending: Bool
    var textOrder: TextOrder
  }

  let terms: [Term]
  let code: FilterCode

  init(_ order: [OrderTerm], of entity: Entity, in catalog: Catalog) throws {
    var compiler = FilterCompiler(catalog)
    terms = try order.map { term in
      Term(
        value: try compiler.value(of: term.operand, entity), isAscending: term.isAscending, textOrder: term.textOrder)
    }
    code = compiler.code
  }
}

/// Makes the sort keys of many records of one snapshot: bytes that sort as the rows do, rows that agree by their numbers.
struct SortKeyMaker {
  private let terms: [RowOrder.Term]
  private let evaluator: FilterEvaluator

  init(_ order: RowOrder, in snapshot: RecordSnapshot) {
    terms = order.terms
    evaluator = FilterEvaluator(order.code, entry: FilterCode.isTrue, in: snapshot)
  }

  func append(_ row: RowNumber, _ record: RecordView, to encoder: inout KeyEncoder) throws {
    for term in terms {
      let start = encoder.bytes.count
      try append(term.value, term.textOrder, row, record, to: &encoder)
      // No key is the beginning of another, so the inverted keys have the opposite order.
      if !term.isAscending { encoder.invert(from: start) }
    }
    encoder.append(row)
  }

  private func append(
    _ value: FilterCode.Value, _ textOrder: TextOrder, _ row: RowNumber, _ record: RecordView,
    to encoder: inout KeyEncoder
  ) throws {
    switch value {
    case .field(let field) where textOrder == .lexical || record.layout.fields[field].kind.isText == false:
      encoder.append(field, of: record)
    case .hop(let field, let entity, let inner):
      let key: Void? = try record.row(field).flatMap { row in
        try evaluator.snapshot.withRecord(row, of: entity) { try append(inner, textOrder, row, $0, to: &encoder) }
      }
      if key == nil { encoder.appendNull() }
    default: encoder.append(try evaluator.value(value, row, record), in: textOrder)
    }
  }
}

extension KeyEncoder {
  /// A value of any type, so that values of one type sort as `OrderTerm` says.
  fileprivate mutating func append(_ value: FieldValue, in textOrder: TextOrder) {
    switch value {
    case .null: appendNull()
    case .bool(let value): append(value)
    case .int(let value): append(integer: UInt64(bitPattern: value), isNegative: value < 0)
    case .uint(let value): append(integer: value, isNegative: false)
    case .float(let value): append(Double(value))
    case .double(let value): append(value)
    case .date(let value): append(dateSeconds: value.timeIntervalSinceReferenceDate)
    case .decimal(let value): append(value)
    case .uuid(let value): append(value)
    case .string(let value), .url(let value): append(value, in: textOrder)
    case .data(let value), .composite(let value): value.withUnsafeBytes { append(data: $0) }
    // Evaluation has read it.
    case .external: appendNull()
    }
  }

  /// An integer in a form that signed and unsigned ones share: a calculation gives either.
  private mutating func append(integer bits: UInt64, isNegative: Bool) {
    bytes.append(Tag.value)
    bytes.append(isNegative ? 0 : 1)
    appendBigEndian(bits)
  }

  fileprivate mutating func invert(from start: Int) {
    for position in start..<bytes.count { bytes[position] = ~bytes[position] }
  }
}
