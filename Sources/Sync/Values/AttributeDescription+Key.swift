import Foundation

extension AttributeDescription {
  /// A value as one of a primary key of this type; nil where it can't be one without loss.
  ///
  /// Numbers and their texts are the same key, as they are in a sync.
  func keyValue(_ value: Any) -> AttributeValue? {
    guard let value = AttributeValue(value) else { return nil }
    let candidates: [AttributeValue?] = [value, number(value), text(value)]
    for case let candidate? in candidates {
      if let stored = candidate.fieldValue(as: type), let result = AttributeValue(stored) { return result }
    }
    return nil
  }

  private func number(_ value: AttributeValue) -> AttributeValue? {
    let text: String
    switch value {
    case .string(let string): text = string
    case .decimal(let decimal): text = "\(decimal)"
    default: return nil
    }
    guard type.isNumeric else { return nil }
    if let integer = Int64(text) { return .integer(integer) }
    return type == .decimal ? Decimal(string: text).map { .decimal($0) } : Double(text).map { .double($0) }
  }

  private func text(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer(let number): .string("\(number)")
    case .uuid(let value): .string(value.uuidString)
    default: nil
    }
  }
}
