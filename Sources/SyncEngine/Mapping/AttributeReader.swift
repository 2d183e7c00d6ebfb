import FoundationEssentials
import Records

/// What the engine can't know about an attribute by itself: whether its Swift type has the value that a payload brings. An
/// enum has some texts only, a `Codable` type some JSON only.
package struct AttributeReader: Sendable {
  /// The stored form of a converted value, nil when the attribute's type has no such value.
  package var storedForm: @Sendable (FieldValue) -> FieldValue?
  /// What null becomes where the attribute isn't optional: an empty array. Nil when there is no such value.
  package var emptyValue: FieldValue?

  package init(emptyValue: FieldValue? = nil, storedForm: @escaping @Sendable (FieldValue) -> FieldValue?) {
    self.storedForm = storedForm
    self.emptyValue = emptyValue
  }
}

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
