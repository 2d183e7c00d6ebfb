import Foundation
import Records
import SyncEngine

/// Reads the values of a snapshot: the opposite of `JSONWriter.write(_: FieldValue)`.
enum SnapshotValue {
  /// The value; nil if it is none of the type as a snapshot has it.
  static func read(_ value: PayloadValue, as type: AttributeType) -> FieldValue? {
    switch type {
    case .string: return value.kind == .string ? .string(value.string) : nil
    case .url: return value.kind == .string ? .url(value.string) : nil
    case .date:
      let seconds = value.kind == .string ? ExactDate.seconds(value.string) : Double(value.string)
      return seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .double where value.kind == .string: return notANumber(value.string).map { .double($0) }
    case .float where value.kind == .string: return notANumber(value.string).map { .float(Float($0)) }
    case .decimal where value.kind == .string: return value.string == "NaN" ? .decimal(.nan) : nil
    default:
      guard let result = NativeCoercion.convert(value, to: type), result.isWhole else { return nil }
      return result.field
    }
  }

  /// The elements of an array. Whatever else stands there would be lost in silence if it were taken for an empty one.
  static func elements(_ value: PayloadValue?, at pointer: String) throws(SnapshotError) -> PayloadElements {
    guard let value else { throw .missing(member: "array", pointer: pointer) }
    guard value.kind == .array else { throw unreadable(value, at: pointer, expected: "an array") }
    return value.elements
  }

  static func unreadable(_ value: PayloadValue, at pointer: String, expected: String) -> SnapshotError {
    .unreadable(pointer: pointer, value: NativeCoercion.reportText(of: value.native), expected: expected)
  }

  /// What numbers of JSON can't be.
  private static func notANumber(_ text: String) -> Double? {
    switch text {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }
}
