import Foundation
import Records

extension AttributeDescription.AttributeType {
  /// The type in a store's records.
  var storedType: Records.AttributeType {
    switch self {
    case .integer16: .int16
    case .integer32: .int32
    case .integer64: .int64
    case .decimal: .decimal
    case .double: .double
    case .float: .float
    case .string: .string
    case .boolean: .bool
    case .date: .date
    case .binaryData: .data
    case .uuid: .uuid
    case .uri: .url
    case .transformable: .composite
    }
  }

  var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }
}

extension AttributeValue {
  /// The value as an attribute of a type has it; nil if it has no such value. Nothing is rounded or cut off.
  func fieldValue(as type: AttributeDescription.AttributeType) -> FieldValue? {
    switch (type, self) {
    case (.integer16, _): integer.flatMap { Int16(exactly: $0) }.map { .int(Int64($0)) }
    case (.integer32, _): integer.flatMap { Int32(exactly: $0) }.map { .int(Int64($0)) }
    case (.integer64, _): integer.map { .int($0) }
    case (.decimal, .integer(let value)): .decimal(Decimal(value))
    case (.decimal, .double(let value)): Decimal(string: value.description).map { .decimal($0) }
    case (.decimal, .decimal(let value)): .decimal(value)
    case (.double, .integer(let value)): Double(exactly: value).map { .double($0) }
    case (.double, .double(let value)): .double(value)
    case (.float, .integer(let value)): Float(exactly: value).map { .float($0) }
    case (.float, .double(let value)): .float(Float(value))
    case (.string, .string(let value)): .string(value)
    case (.boolean, .boolean(let value)): .bool(value)
    case (.boolean, .integer(0)): .bool(false)
    case (.boolean, .integer(1)): .bool(true)
    case (.date, .date(let value)): .date(value)
    case (.uuid, .uuid(let value)): .uuid(value)
    case (.uuid, .string(let value)): UUID(uuidString: value).map { .uuid($0) }
    case (.uri, .url(let value)), (.uri, .string(let value)): .url(value)
    case (.binaryData, .data(let value)): .data(value)
    default: nil
    }
  }

  private var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }
}
