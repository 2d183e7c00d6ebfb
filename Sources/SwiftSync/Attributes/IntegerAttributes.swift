// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The requirements are documented on the protocol; each conformance below only names its width.

import Records

/// Signed integers are kept as 64 bits, whatever their width; the width is checked when a value is read back.
extension PersistentAttribute where Self: FixedWidthInteger & SignedInteger {
  public var storedValue: StoredValue { StoredValue(.int(Int64(self))) }
  public init?(_ storedValue: StoredValue) {
    guard case .int(let value) = storedValue.field else { return nil }
    self.init(exactly: value)
  }
  public static var standIn: Self { 0 }
}

/// Unsigned integers likewise.
extension PersistentAttribute where Self: FixedWidthInteger & UnsignedInteger {
  public var storedValue: StoredValue { StoredValue(.uint(UInt64(self))) }
  public init?(_ storedValue: StoredValue) {
    guard case .uint(let value) = storedValue.field else { return nil }
    self.init(exactly: value)
  }
  public static var standIn: Self { 0 }
}

extension Int: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.int64) }
  public static func read(_ slot: Int, of backing: ModelBacking) -> Int? {
    backing.read(slot, .int64) { Int($0.int64($1)) }
  }
}
extension Int8: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.int8) }
}
extension Int16: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.int16) }
}
extension Int32: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.int32) }
}
extension Int64: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.int64) }
}
extension UInt: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.uint64) }
}
extension UInt8: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.uint8) }
}
extension UInt16: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.uint16) }
}
extension UInt32: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.uint32) }
}
extension UInt64: PersistentAttribute {
  public static var storedType: StoredType { StoredType(.uint64) }
}
