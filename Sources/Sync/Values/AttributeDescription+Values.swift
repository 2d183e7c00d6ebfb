import Foundation
import Records

extension AttributeDescription {
  /// A value as the attribute stores it.
  ///
  /// - Throws: `ManagedObjectError.wrongType` for one that is none of the attribute's type, or can't be one without loss.
  func field(_ value: Any?, of entity: String) throws(ManagedObjectError) -> FieldValue {
    guard let value, !(value is NSNull) else { return .null }
    let field = type == .transformable ? TransformedValue.encode(value) : AttributeValue(value)?.fieldValue(as: type)
    guard let field else {
      throw .wrongType(entity: entity, attribute: name, type: type.rawValue, value: "\(value)")
    }
    return field
  }

  /// A stored value in the Swift type that users of the attribute see.
  func value(_ field: FieldValue) -> Any? {
    switch field {
    case .null, .external: nil
    case .bool(let value): value
    case .int(let value): Int(value)
    case .uint(let value): Int(exactly: value)
    case .float(let value): value
    case .double(let value): value
    case .decimal(let value): value
    case .string(let value): value
    case .date(let value): value
    case .uuid(let value): value
    // A text that is no URL, which another program has stored, is still what is there.
    case .url(let value): URL(string: value) ?? value
    case .data(let value): value
    case .composite: TransformedValue.decode(field)
    }
  }
}
