import Foundation
import Records

/// A value that an attribute can have, for what a model and a predicate say about attributes: defaults, bounds, constants.
public enum AttributeValue: Sendable, Hashable {
  /// A truth value.
  case boolean(Bool)
  /// A whole number. The attribute's type says how large it may be.
  case integer(Int64)
  /// A binary floating-point number.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// A text.
  case string(String)
  /// A moment.
  case date(Date)
  /// A universally unique identifier.
  case uuid(UUID)
  /// The address that a URI attribute holds, as text.
  case url(String)
  /// Bytes.
  case data(Data)
}

extension AttributeValue {
  /// The value of a Swift or Foundation type; nil for a type that no attribute has.
  ///
  /// A number object is what it holds: a truth value, a whole number, or a floating-point number.
  public init?(_ value: Any) {
    // A number object can be cast to every native type, so objects are told apart first.
    if type(of: value) is AnyClass {
      self.init(object: value)
      return
    }
    switch value {
    case let value as AttributeValue: self = value
    case let value as Bool: self = .boolean(value)
    case let value as String: self = .string(value)
    case let value as Substring: self = .string(String(value))
    case let value as Decimal: self = .decimal(value)
    case let value as Float: self = .double(Double(value))
    case let value as Double: self = .double(value)
    case let value as any BinaryInteger:
      if let integer = Int64(exactly: value) {
        self = .integer(integer)
      } else if let decimal = Decimal(string: value.description) {
        self = .decimal(decimal)
      } else {
        return nil
      }
    case let value as Date: self = .date(value)
    case let value as UUID: self = .uuid(value)
    case let value as URL: self = .url(value.absoluteString)
    case let value as Data: self = .data(value)
    default: return nil
    }
  }

  private init?(object: Any) {
    switch object {
    case let value as NSDecimalNumber: self = .decimal(value.decimalValue)
    case let value as NSNumber:
      let code = UInt8(bitPattern: value.objCType.pointee)
      if String(describing: type(of: value)) == "__NSCFBoolean" {
        self = .boolean(value.boolValue)
      } else if code == UInt8(ascii: "f") || code == UInt8(ascii: "d") {
        self = .double(value.doubleValue)
      } else if code == UInt8(ascii: "Q"), value.uint64Value > Int64.max {
        self = .decimal(Decimal(value.uint64Value))
      } else {
        self = .integer(value.int64Value)
      }
    case let value as NSString: self = .string(String(value))
    case let value as NSDate:
      self = .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    case let value as NSUUID:
      guard let uuid = UUID(uuidString: value.uuidString) else { return nil }
      self = .uuid(uuid)
    case let value as NSURL: self = .url(value.absoluteString)
    case let value as NSData: self = .data(Data(referencing: value))
    default: return nil
    }
  }

  /// The value as a store keeps it.
  init?(_ value: FieldValue) {
    switch value {
    case .bool(let value): self = .boolean(value)
    case .int(let value): self = .integer(value)
    case .uint(let value):
      guard let integer = Int64(exactly: value) else { return nil }
      self = .integer(integer)
    case .float(let value): self = .double(Double(value))
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .string(let value): self = .string(value)
    case .date(let value): self = .date(value)
    case .uuid(let value): self = .uuid(value)
    case .url(let value): self = .url(value)
    case .data(let value): self = .data(value)
    case .null, .composite, .external: return nil
    }
  }
}

extension AttributeValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
}
