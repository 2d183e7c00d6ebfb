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
final class SortKeyMaker {
  /// What is made of a record for one term. Most are fields that are encoded as they are, which takes no look at anything else.
  private enum Part {
    case field(FieldIndex, isAscending: Bool)
    case term(RowOrder.Term)
  }

  private let parts: [Part]
  /// The first part, if it is a field.
  private let leading: (field: FieldIndex, isAscending: Bool)?
  private let evaluator: FilterEvaluator

  init(_ order: RowOrder, of entity: Entity, in snapshot: RecordSnapshot) {
    parts = order.terms.map { term in
      guard case .field(let field) = term.value,
        term.textOrder == .lexical || !entity.layout.fields[field].kind.isText
      else { return .term(term) }
      return .field(field, isAscending: term.isAscending)
    }
    leading = if case .field(let field, let isAscending)? = parts.first { (field, isAscending) } else { nil }
    evaluator = FilterEvaluator(order.code, entry: FilterCode.isTrue, in: snapshot)
  }

  /// Where the first term puts a row, if that is one number of eight bytes and there: what its key has behind the first byte. Costs
  /// less than the key, and is enough to turn most rows away when only a few are wanted.
  @inline(__always)
  func leadingWord(of record: RecordView) -> UInt64? {
    guard let (field, isAscending) = leading, !record.isNull(field) else { return nil }
    let word: UInt64
    switch record.place(of: field).kind {
    case .int8, .int16, .int32, .int64: word = KeyEncoder.word(of: record.int64(field))
    case .double: word = KeyEncoder.word(of: record.double(field))
    case .date: word = KeyEncoder.word(of: record.date(field))
    default: return nil
    }
    return isAscending ? word : ~word
  }

  /// Appends a row's whole key.
  func append(_ row: RowNumber, _ record: RecordView, to encoder: inout KeyEncoder) throws {
    for part in parts {
      let start = encoder.bytes.count
      let isAscending: Bool
      switch part {
      case .field(let field, isAscending: let direction):
        encoder.append(field, of: record)
        isAscending = direction
      case .term(let term):
        try append(term.value, term.textOrder, row, record, to: &encoder)
        isAscending = term.isAscending
      }
      // No key is the beginning of another, so the inverted keys have the opposite order.
      if !isAscending { encoder.invert(from: start) }
    }
    encoder.append(row)
  }

  private func append(
    _ value: FilterCode.Value, _ textOrder: TextOrder, _ row: RowNumber, _ record: RecordView,
    to encoder: inout KeyEncoder
  ) throws {
    switch value {
    case .field(let field) where textOrder == .lexical || record.place(of: field).kind.isText == false:
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

extension FieldValue {
  /// Bytes that sort as an order term sorts values of one type.
  package func sortKey(ascending isAscending: Bool = true, text textOrder: TextOrder = .lexical) -> [UInt8] {
    var encoder = KeyEncoder()
    encoder.append(self, in: textOrder)
    if !isAscending { encoder.invert(from: 0) }
    return encoder.bytes
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
