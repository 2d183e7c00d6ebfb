// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The requirements are documented on the protocol; each conformance below only says which case of `FieldValue` it is.

import Foundation
import Records

extension Bool: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.bool) }
  public var storedValue: StoredValue { StoredValue(.bool(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .bool(let value) = storedValue.field else { return nil }
    self = value
  }
  public static func read(_ slot: Int, of backing: ModelBacking) -> Bool? {
    backing.read(slot, .bool) { $0.bool($1) }
  }
  public static var standIn: Bool { false }
}

extension Float: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.float) }
  public var storedValue: StoredValue { StoredValue(.float(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .float(let value) = storedValue.field else { return nil }
    self = value
  }
  public static var standIn: Float { 0 }
}

extension Double: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.double) }
  public var storedValue: StoredValue { StoredValue(.double(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .double(let value) = storedValue.field else { return nil }
    self = value
  }
  public static func read(_ slot: Int, of backing: ModelBacking) -> Double? {
    backing.read(slot, .double) { $0.double($1) }
  }
  public static var standIn: Double { 0 }
}

extension Decimal: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.decimal) }
  public var storedValue: StoredValue { StoredValue(.decimal(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .decimal(let value) = storedValue.field else { return nil }
    self = value
  }
  public static var standIn: Decimal { 0 }
}

extension String: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.string) }
  public var storedValue: StoredValue { StoredValue(.string(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .string(let value) = storedValue.field else { return nil }
    self = value
  }
  public static func read(_ slot: Int, of backing: ModelBacking) -> String? {
    backing.read(slot, .string) { $0.string($1) }
  }
  public static var standIn: String { "" }
}

extension Date: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.date) }
  public var storedValue: StoredValue { StoredValue(.date(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .date(let value) = storedValue.field else { return nil }
    self = value
  }
  public static func read(_ slot: Int, of backing: ModelBacking) -> Date? {
    backing.read(slot, .date) { Date(timeIntervalSinceReferenceDate: $0.date($1)) }
  }
  public static var standIn: Date { Date(timeIntervalSince1970: 0) }
}

extension UUID: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.uuid) }
  public var storedValue: StoredValue { StoredValue(.uuid(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .uuid(let value) = storedValue.field else { return nil }
    self = value
  }
  public static func read(_ slot: Int, of backing: ModelBacking) -> UUID? {
    backing.read(slot, .uuid) { $0.uuid($1) }
  }
  public static var standIn: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.url) }
  public var storedValue: StoredValue { StoredValue(.url(absoluteString)) }
  public init?(_ storedValue: StoredValue) {
    guard case .url(let text) = storedValue.field else { return nil }
    self.init(string: text)
  }
  public static var standIn: URL { URL(fileURLWithPath: "/") }
}

extension Data: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.data) }
  public var storedValue: StoredValue { StoredValue(.data(self)) }
  public init?(_ storedValue: StoredValue) {
    guard case .data(let value) = storedValue.field else { return nil }
    self = value
  }
  public static var standIn: Data { Data() }
}
