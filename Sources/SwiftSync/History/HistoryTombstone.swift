import Records

/// What is left of a deleted row: the values of the attributes that are marked `.preserveValueOnDeletion`.
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
  private let values: [(property: ModelProperty, value: FieldValue)]

  init(_ values: [(property: ModelProperty, value: FieldValue)]) {
    self.values = values
  }

  /// The attributes that it has values of.
  public var preservedAttributes: [PartialKeyPath<Model>] {
    values.compactMap { $0.property.keyPath as? PartialKeyPath<Model> }
  }

  /// The value that an attribute had; nil when it had none, or is not preserved.
  public subscript(_ keyPath: PartialKeyPath<Model>) -> Any? {
    let sought: AnyKeyPath = keyPath
    let known = values.first { ($0.property.keyPath as AnyKeyPath) == sought }
    guard let (property, value) = known, value != .null else { return nil }
    return PreservedValue.read(value, as: type(of: property.keyPath).valueType)
  }

  /// The value that an attribute had, in its own type; nil when it is not preserved, or had a value that the type does not have
  /// any more.
  public func value<Value>(of keyPath: KeyPath<Model, Value>) -> Value? {
    self[keyPath] as? Value
  }
}

/// Makes values of types that are known only at run time.
enum PreservedValue {
  static func read(_ value: FieldValue, as type: Any.Type) -> Any? {
    let type = (type as? any OptionalAttribute.Type)?.wrapped ?? type
    if let type = type as? any PersistentAttribute.Type { return attribute(value, as: type) }
    if let type = type as? any RawRepresentable.Type, let read = rawValue(value, as: type) { return read }
    if let type = type as? any Codable.Type { return composite(value, as: type) }
    return nil
  }

  private static func attribute<Value: PersistentAttribute>(_ value: FieldValue, as type: Value.Type) -> Any? {
    Value(StoredValue(value))
  }

  private static func rawValue<Value: RawRepresentable>(_ value: FieldValue, as type: Value.Type) -> Any? {
    guard let raw = Value.RawValue.self as? any PersistentAttribute.Type,
      let rawValue = attribute(value, as: raw) as? Value.RawValue
    else { return nil }
    return Value(rawValue: rawValue)
  }

  private static func composite<Value: Codable>(_ value: FieldValue, as type: Value.Type) -> Any? {
    try? CompositeCoding.decode(type, from: value)
  }
}

/// Says of an optional what it is an optional of.
private protocol OptionalAttribute {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalAttribute {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
