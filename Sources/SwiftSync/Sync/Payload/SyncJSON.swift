import Foundation
import SyncEngine

/// A JSON value that can be sent between actors, which a `[String: Any]` cannot.
public enum SyncJSON: Sendable, SyncPayloadConvertible {
  /// Text.
  case string(String)
  /// A whole number.
  case int(Int)
  /// Any other number that a double stands for exactly.
  case double(Double)
  /// A number with more digits than the other two hold.
  case decimal(Decimal)
  /// True or false.
  case bool(Bool)
  /// Values by key.
  case object([String: SyncJSON])
  /// Values in order.
  case array([SyncJSON])
  /// Null.
  case null

  /// Boxes a value as `JSONSerialization` makes them, or as Swift literals are.
  /// - Throws: `SyncError.invalidPayload` that names the type of what JSON has no form for, or for what is nested deeper than a
  ///   payload may be.
  public init(_ value: Any) throws {
    try self.init(value, depthMax: PayloadDocument.depthMax)
  }

  private init(_ value: Any, depthMax: Int) throws {
    switch value {
    case let json as SyncJSON: self = json
    // Before any cast to a class, which would bridge all that is in them.
    case is [String: Any] where depthMax == 0, is [Any] where depthMax == 0:
      throw SyncError.invalidPayload(
        model: "SyncJSON", reason: "the value is nested deeper than \(PayloadDocument.depthMax) levels")
    case let members as [String: Any]:
      self = .object(try members.mapValues { try SyncJSON($0, depthMax: depthMax - 1) })
    case let elements as [Any]: self = .array(try elements.map { try SyncJSON($0, depthMax: depthMax - 1) })
    case is NSNull: self = .null
    case let bool as Bool where Self.isBoolean(value): self = .bool(bool)
    case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
    case let number as Decimal: self = .decimal(number)
    case let number as Int: self = .int(number)
    case let number as UInt64: self = .decimal(Decimal(number))
    case let number as NSNumber: self = Self.number(number.doubleValue)
    case let text as String: self = .string(text)
    default:
      throw SyncError.invalidPayload(model: "SyncJSON", reason: "\(type(of: value)) has no JSON form")
    }
  }

  /// Boxes an object.
  /// - Throws: as `init(_:)`.
  public init(dictionary: [String: Any]) throws {
    try self.init(dictionary as Any)
  }

  /// The object as a dictionary of plain values; empty for anything that is not an object.
  public func toSyncPayloadDictionary() -> [String: Any] {
    unboxed as? [String: Any] ?? [:]
  }

  var isObject: Bool { if case .object = self { true } else { false } }

  /// The text of a member; nil if this is no object or the member no text.
  public func string(_ key: String) -> String? {
    guard case .object(let members) = self, case .string(let text) = members[key] else { return nil }
    return text
  }

  /// The objects in a member that is an array; nil if this is no object or the member no array.
  public func objectArray(_ key: String) -> [SyncJSON]? {
    guard case .object(let members) = self, case .array(let elements) = members[key] else { return nil }
    return elements.filter { if case .object = $0 { true } else { false } }
  }

  /// The value as plain values. What is nested deeper than a payload may be stays as it is: no sync takes it, and a stack is not
  /// endless.
  var unboxed: Any { unboxed(depthMax: PayloadDocument.depthMax) }

  private func unboxed(depthMax: Int) -> Any {
    if depthMax < 0 { return self }
    return switch self {
    case .string(let text): text
    case .int(let number): number
    case .double(let number): number
    case .decimal(let number): number
    case .bool(let bool): bool
    case .object(let members): members.mapValues { $0.unboxed(depthMax: depthMax - 1) }
    case .array(let elements): elements.map { $0.unboxed(depthMax: depthMax - 1) }
    case .null: NSNull()
    }
  }

  /// A number with an integral value that an `Int` holds exactly is one.
  private static func number(_ value: Double) -> SyncJSON {
    Int(exactly: value).map { .int($0) } ?? .double(value)
  }

  /// Bridging makes 1 and true look alike to a cast; the dynamic type tells them apart.
  private static func isBoolean(_ value: Any) -> Bool {
    type(of: value) == Bool.self
      || (value as? NSNumber).map { String(describing: type(of: $0)) == "__NSCFBoolean" } == true
  }
}
