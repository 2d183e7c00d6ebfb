import Foundation
import Records

/// What kind of value an expression has. Only values of one kind are compared.
enum PredicateKind: String {
  case number = "a number"
  case truth = "a truth value"
  case text = "a text"
  case date = "a date"
  case uuid = "a UUID"
  case url = "a URL"
  case data = "binary data"
  case transformable = "transformable"
  case object = "an object"
  case null = "nil"
  case list = "a list"

  init(_ type: AttributeType) {
    switch type {
    case .bool: self = .truth
    case .string: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .url: self = .url
    case .data: self = .data
    case .composite: self = .transformable
    default: self = .number
    }
  }

  init(_ value: AttributeValue) {
    switch value {
    case .boolean: self = .truth
    case .integer, .double, .decimal: self = .number
    case .string: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .url: self = .url
    case .data: self = .data
    }
  }

  /// Whether one value can be less than another.
  var isOrdered: Bool {
    switch self {
    case .number, .truth, .text, .date, .url: true
    default: false
    }
  }

  var isText: Bool { self == .text || self == .url }
}

extension AttributeValue {
  /// The value as one of a kind, so that it can be compared; nil if it is of another kind altogether. Texts are read as what they
  /// are compared with, and numbers compare with numbers of all types.
  func fieldValue(comparableTo kind: PredicateKind) -> FieldValue? {
    switch (kind, self) {
    case (.number, .integer(let value)): .int(value)
    case (.number, .double(let value)): .double(value)
    case (.number, .decimal(let value)): .decimal(value)
    case (.number, .boolean(let value)): .int(value ? 1 : 0)
    case (.truth, .boolean(let value)): .bool(value)
    case (.truth, .integer(0)): .bool(false)
    case (.truth, .integer(1)): .bool(true)
    case (.text, .string(let value)): .string(value)
    case (.url, .url(let value)), (.url, .string(let value)), (.text, .url(let value)): .string(value)
    case (.date, .date(let value)): .date(value)
    case (.date, .string(let value)): AttributeValue.date(value).map { .date($0) }
    case (.uuid, .uuid(let value)): .uuid(value)
    case (.uuid, .string(let value)): UUID(uuidString: value).map { .uuid($0) }
    case (.data, .data(let value)): .data(value)
    default: nil
    }
  }
}
