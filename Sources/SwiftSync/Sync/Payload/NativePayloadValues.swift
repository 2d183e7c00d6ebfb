import Foundation
import SyncEngine

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

extension SyncJSON: PayloadConvertible {
  package func append(to builder: inout PayloadBuilder) throws(PayloadError) {
    switch self {
    case .string(let text): try builder.append(string: text)
    case .int(let number): try builder.append(integer: number)
    case .double(let number): try builder.append(double: number, isNative: true)
    case .decimal(let number): try builder.append(decimal: number)
    case .bool(let bool): builder.append(bool: bool, isNative: true)
    case .object(let members): try builder.append(object: members)
    case .array(let elements): try builder.append(array: elements)
    case .null: builder.appendNull()
    }
  }
}
