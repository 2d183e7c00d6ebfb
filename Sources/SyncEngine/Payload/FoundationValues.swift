import Foundation

// What `JSONSerialization` makes of JSON, and what code ported from Apple's platforms puts into dictionaries.

extension NSNull: PayloadConvertible {
  package func append(to builder: inout PayloadBuilder) throws(PayloadError) {
    builder.appendNull()
  }
}

extension NSNumber: PayloadConvertible {
  /// A cast of 1 to `Bool` and of true to `Int` succeeds, so what the object was is read off its class and type code.
  package func append(to builder: inout PayloadBuilder) throws(PayloadError) {
    if let decimal = self as? NSDecimalNumber { return try builder.append(decimal: decimal.decimalValue) }
    if String(describing: type(of: self)) == "__NSCFBoolean" {
      return builder.append(bool: boolValue, isNative: false)
    }
    switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"): try builder.append(double: doubleValue, isNative: false)
    case UInt8(ascii: "Q"): try builder.append(integer: uint64Value)
    default: try builder.append(integer: int64Value)
    }
  }
}

extension NSString: PayloadConvertible {
  package func append(to builder: inout PayloadBuilder) throws(PayloadError) {
    try builder.append(string: String(self))
  }
}
