import Foundation
import SyncEngine

/// What belongs to no type: the relationship and export helpers for hand-written models.
///
/// The module has the same name. So `SwiftSync.` in front of a name always means a member of this enum: the types of the module
/// are named without it (`SyncContainer`, not `SwiftSync.SyncContainer`). Where a name is ambiguous, import the type itself:
/// `import class SwiftSync.SyncContainer`.
public enum SwiftSync {
  /// A value as an export has it: text, numbers and booleans as they are, dates by the formatter, UUIDs and URLs as text, data as
  /// base64, enums as their raw values; small integers are widened; of an array the elements that have a form.
  ///
  /// - Returns: nil for nil, for a number that JSON has no form for, and for everything else.
  public static func exportEncodeValue(_ raw: Any, dateFormatter: DateFormatter) -> Any? {
    let value = PayloadConversion.plain(raw)
    return switch value {
    case is NSNull: nil
    case let text as String: text
    case let date as Date: dateFormatter.string(from: date)
    case let uuid as UUID: uuid.uuidString
    case let url as URL: url.absoluteString
    case let data as Data: data.base64EncodedString()
    case let list as [Any]: list.compactMap { exportEncodeValue($0, dateFormatter: dateFormatter) }
    case let choice as any RawRepresentable: exportEncodeValue(choice.rawValue, dateFormatter: dateFormatter)
    default: exportNumber(value)
    }
  }

  /// Puts a value into an exported object. Dots in the key lead into nested objects, which keys with the same beginning share.
  ///
  /// The last value for a place wins; an object takes the place of a value that is in its way, and the reverse.
  public static func exportSetValue(_ value: Any, for keyPath: String, into target: inout [String: Any]) {
    ExportPath.set(value, at: keyPath, in: &target)
  }

  /// Types are compared, because a cast between numbers succeeds whenever the value fits.
  private static func exportNumber(_ value: Any) -> Any? {
    switch type(of: value) {
    case is Int8.Type, is Int16.Type, is Int32.Type: (value as? any SignedInteger).map { Int($0) }
    case is UInt8.Type, is UInt16.Type, is UInt32.Type: (value as? any UnsignedInteger).map { UInt($0) }
    case is Bool.Type, is Int.Type, is Int64.Type, is UInt.Type, is UInt64.Type: value
    case is Decimal.Type: (value as? Decimal).map { NSDecimalNumber(decimal: $0) }
    case is Double.Type: (value as? Double)?.isFinite == true ? value : nil
    case is Float.Type: (value as? Float)?.isFinite == true ? value : nil
    default: (value as? NSNumber).flatMap { $0.doubleValue.isFinite ? $0 : nil }
    }
  }
}
