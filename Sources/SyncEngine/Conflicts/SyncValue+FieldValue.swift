import Records

extension SyncValue {
  /// The value of an attribute.
  init(_ value: FieldValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .integer(value)
      case .uint(let value): .unsigned(value)
      case .float(let value): .double(Double(value))
      case .double(let value): .double(value)
      case .decimal(let value): .decimal(value)
      case .string(let value): .string(value)
      case .date(let value): .date(value)
      case .uuid(let value): .uuid(value)
      case .url(let value): .url(value)
      case .data(let value): .data(value)
      case .composite(let value): .json(String(decoding: value, as: UTF8.self))
      case .external(let reference): .string("\(reference.byteCount) bytes outside of the record")
      }
  }
}
