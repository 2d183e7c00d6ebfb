import FoundationEssentials
import Records

extension CoercedValue {
  /// The value on its own, as a value of an attribute of some type.
  func fieldValue(as type: AttributeType) -> FieldValue {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .date(let value): .date(Date(timeIntervalSinceReferenceDate: value))
    case .uuid(let value): .uuid(value)
    case .borrowed(let bytes): Self.fieldValue(UnsafeRawBufferPointer(bytes), as: type)
    case .made(let bytes): bytes.withUnsafeBytes { Self.fieldValue($0, as: type) }
    case .data(let data): .data(data)
    }
  }

  private static func fieldValue(_ bytes: UnsafeRawBufferPointer, as type: AttributeType) -> FieldValue {
    switch type {
    case .url: .url(String(decoding: bytes, as: UTF8.self))
    case .data: .data(Data(bytes))
    case .composite: .composite(Data(bytes))
    default: .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension FieldValue {
  /// The value as text, the way an identity is written in reports.
  package var reportText: String {
    switch self {
    // An identity is never in external storage.
    case .null, .external: ""
    case .bool, .int, .uint, .float, .double, .decimal, .uuid: text
    case .date(let value): DateFormat.text(of: value.timeIntervalSinceReferenceDate)
    case .string(let value), .url(let value): value
    case .data(let value), .composite(let value): String(decoding: value, as: UTF8.self)
    }
  }
}
