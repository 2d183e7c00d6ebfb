extension FilterEvaluator {
  func isTrue(_ test: FilterCode.ValueTest, _ row: RowNumber, _ record: RecordView) throws -> Bool {
    switch test {
    case .isNull(let value): return try self.value(value, row, record).isNull
    case .compare(let left, let comparison, let right):
      return try value(left, row, record).matches(comparison, value(right, row, record))
    case .oneOf(let value, let values):
      let value = try self.value(value, row, record)
      return values.contains { value.matches(.equal, $0) }
    case .text(let text, let match, let pattern):
      guard let text = try value(text, row, record).textContent,
        let pattern = try value(pattern, row, record).textContent
      else { return false }
      return match.matches(text, pattern)
    }
  }

  func value(_ value: FilterCode.Value, _ row: RowNumber, _ record: RecordView) throws -> FieldValue {
    switch value {
    case .constant(let value): return value
    case .field(let field): return record.value(field)
    case .content(let field, let entity): return try snapshot.value(field, of: record, row: row, entity)
    case .hop(let field, let entity, let value):
      guard let destination = record.row(field) else { return .null }
      return try snapshot.withRecord(destination, of: entity) { try self.value(value, destination, $0) } ?? .null
    case .memberCount(let members): return .int(try count(members, of: row))
    case .arithmetic(let left, let operation, let right, let text):
      return try operation.result(self.value(left, row, record), self.value(right, row, record), expression: text)
    case .negated(let value, let text): return try self.value(value, row, record).negated(expression: text)
    case .length(let value, let text): return try self.value(value, row, record).length(expression: text)
    case .coalesce(let first, let second):
      let value = try self.value(first, row, record)
      return value.isNull ? try self.value(second, row, record) : value
    case .conditional(let entry, let first, let second):
      return try self.value(isTrue(entry, row, record) ? first : second, row, record)
    case .truth(let entry): return .bool(try isTrue(entry, row, record))
    }
  }
}
