import Foundation
import Records

/// A type whose values a record stores as they are, so that they can be compared, indexed and shown without the
/// application.
///
/// The types are those listed in this folder, their optionals, and, through their raw value, enums. Do not conform your own
/// types: make them `Codable`, and they are stored as JSON text.
public protocol PersistentAttribute: Codable, Sendable {
  /// How a record stores values of this type.
  static var storedType: StoredType { get }
  /// The value in its stored form.
  var storedValue: StoredValue { get }
  /// Makes the value from its stored form; nil when that is of another kind or out of range.
  init?(_ storedValue: StoredValue)
  /// Reads the attribute of an object; nil when its value is null, of another kind, or out of range.
  static func read(_ slot: Int, of backing: ModelBacking) -> Self?
  /// What stands in for a value where a record holds none although one is required, as in a row written by other means.
  static var standIn: Self { get }
}

/// The kind of value that a record keeps for an attribute.
public struct StoredType: Sendable {
  package let type: AttributeType
  package let isOptional: Bool

  package init(_ type: AttributeType, isOptional: Bool = false) {
    self.type = type
    self.isOptional = isOptional
  }
}

/// A value in the form in which a record keeps it.
public struct StoredValue: Sendable {
  package let field: FieldValue

  package init(_ field: FieldValue) {
    self.field = field
  }
}

extension PersistentAttribute {
  /// Reads the attribute by way of its stored form. Types that are read often do it from the record.
  public static func read(_ slot: Int, of backing: ModelBacking) -> Self? {
    Self(StoredValue(backing.field(in: slot)))
  }
}

extension Optional: PersistentAttribute where Wrapped: PersistentAttribute {
  /// The wrapped type's kind, with null allowed.
  public static var storedType: StoredType { StoredType(Wrapped.storedType.type, isOptional: true) }

  /// The wrapped value's stored form, or null.
  public var storedValue: StoredValue { self?.storedValue ?? StoredValue(.null) }

  /// Null becomes nil; anything else must fit the wrapped type.
  public init?(_ storedValue: StoredValue) {
    if case .null = storedValue.field {
      self = .none
    } else {
      guard let wrapped = Wrapped(storedValue) else { return nil }
      self = .some(wrapped)
    }
  }

  /// What the wrapped type reads.
  @inlinable
  public static func read(_ slot: Int, of backing: ModelBacking) -> Wrapped?? {
    .some(Wrapped.read(slot, of: backing))
  }

  /// Nil.
  @inlinable
  public static var standIn: Wrapped? { nil }
}
