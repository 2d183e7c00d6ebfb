import FoundationEssentials

extension FieldValue {
  /// The value as messages show it: on one line.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): value.debugDescription
    case .date(let value):
      // Foundation has no text for dates that are far away or NaN, and traps for some.
      abs(value.timeIntervalSinceReferenceDate) < 1e11
        ? value.formatted(.iso8601) : "\(value.timeIntervalSinceReferenceDate) s"
    case .uuid(let value): value.uuidString
    case .url(let value): value
    case .data(let value): "\(value.count) bytes"
    case .composite(let value): String(decoding: value, as: UTF8.self)
    case .external(let reference): "\(reference.byteCount) bytes outside of the record"
    }
  }
}
