import Foundation
import Records
import SyncEngine

/// Converts payload values to Swift types: by the rules of attributes where the type is one of theirs, and else by a cast or the
/// type's decoder.
enum PayloadConversion {
  /// The value as a type; nil if it cannot be converted.
  static func value<T>(of raw: Any, as type: T.Type) -> T? {
    if let optional = type as? any AnyOptional.Type, raw is NSNull { return optional.absent as Any as? T }
    // Nothing would be a value of an optional type, so it must not get as far as the cast.
    return converted(raw, as: type).flatMap { $0 as? T }
  }

  private static func converted<T>(_ raw: Any, as type: T.Type) -> Any? {
    if let attribute = type as? any PersistentAttribute.Type { return attributeValue(of: raw, as: attribute) }
    if let value = raw as? T { return value }
    let plain = (type as? any AnyOptional.Type)?.wrappedType ?? type
    if let enumeration = plain as? any RawRepresentable.Type, let value = enumValue(of: raw, as: enumeration) {
      return value
    }
    return (plain as? any Decodable.Type).flatMap { decoded(raw, as: $0) }
  }

  /// What stands for null, or for a value that cannot be read, where one is required; nil where nothing does.
  static func standIn<T>(as type: T.Type, isNull: Bool) -> T? {
    if type == Date.self { return Date(timeIntervalSince1970: 0) as? T }
    guard isNull else { return nil }
    if let attribute = type as? any PersistentAttribute.Type {
      return attribute.storedType.type.valueForNull.flatMap { attribute.init(StoredValue($0)) } as? T
    }
    if let enumeration = type as? any RawRepresentable.Type { return enumValueForNull(enumeration) as? T }
    return (type as? any Decodable.Type).flatMap { decoded([Any](), as: $0) } as? T
  }

  /// The value without boxes around it: optionals, and JSON that can be sent between actors.
  static func plain(_ value: Any) -> Any {
    if type(of: value) is any AnyOptional.Type, let optional = value as? any AnyOptional {
      return optional.wrapped.map(plain) ?? NSNull()
    }
    return (value as? SyncJSON)?.unboxed ?? value
  }

  /// The elements of a list, without boxes around them; nil for anything else.
  static func list(_ value: Any) -> [Any]? {
    (value as? [Any])?.map(plain)
  }

  private static func attributeValue<Value: PersistentAttribute>(of raw: Any, as type: Value.Type) -> Any? {
    // Most values are of the right type already.
    if Swift.type(of: raw) == type, type == String.self || type == Int.self || type == Bool.self { return raw }
    guard let converted = NativeCoercion.convert(raw, to: type.storedType.type) else { return nil }
    return type.init(StoredValue(converted.field))
  }

  private static func enumValue<Value: RawRepresentable>(of raw: Any, as type: Value.Type) -> Any? {
    guard let attribute = Value.RawValue.self as? any PersistentAttribute.Type,
      let rawValue = attributeValue(of: raw, as: attribute) as? Value.RawValue
    else { return nil }
    return Value(rawValue: rawValue)
  }

  private static func enumValueForNull<Value: RawRepresentable>(_ type: Value.Type) -> Any? {
    standIn(as: Value.RawValue.self, isNull: true).flatMap { Value(rawValue: $0) }
  }

  private static func decoded<Value: Decodable>(_ raw: Any, as type: Value.Type) -> Any? {
    guard let json = NativeCoercion.convert(raw, to: .composite)?.field else { return nil }
    return try? CompositeCoding.decode(type, from: json)
  }
}
