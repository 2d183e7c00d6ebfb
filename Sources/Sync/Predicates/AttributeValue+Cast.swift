import Foundation
import SyncEngine

extension AttributeValue {
  /// The value that `CAST(text, type)` stands for; nil for a type that no attribute has, and for a text that is none of its values.
  init?(cast text: String, to type: String) {
    switch type.hasPrefix("NS") ? String(type.dropFirst(2)) : type {
    case "Date":
      if let seconds = Double(text) {
        self = .date(Date(timeIntervalSinceReferenceDate: seconds))
      } else if let date = AttributeValue.date(text) {
        self = .date(date)
      } else {
        return nil
      }
    case "DecimalNumber", "Decimal":
      if text == "NaN" {
        self = .decimal(.nan)
        return
      }
      guard let value = Decimal(string: text) else { return nil }
      self = .decimal(value)
    case "Number", "Double":
      guard let value = Double(text) else { return nil }
      self = .double(value)
    case "Integer", "Int64":
      guard let value = Int64(text) else { return nil }
      self = .integer(value)
    case "String": self = .string(text)
    case "UUID":
      guard let value = UUID(uuidString: text) else { return nil }
      self = .uuid(value)
    case "URL": self = .url(text)
    case "Data":
      guard let value = Data(base64Encoded: text) else { return nil }
      self = .data(value)
    default: return nil
    }
  }

  /// The date of a text in one of the forms that syncs read.
  static func date(_ text: String) -> Date? {
    guard case .date(let date)? = NativeCoercion.convert(text, to: .date)?.field else { return nil }
    return date
  }

  /// The number with the opposite sign; nil for what is no number.
  var negative: AttributeValue? {
    switch self {
    case .integer(.min): .decimal(-Decimal(Int64.min))
    case .integer(let value): .integer(-value)
    case .double(let value): .double(-value)
    // The digits of the least integer without its sign are no integer.
    case .decimal(let value): Int64("\(-value)").map { .integer($0) } ?? .decimal(-value)
    default: nil
    }
  }

  /// The digits of a number.
  var numberText: String {
    switch self {
    case .integer(let value): value.description
    case .double(let value): value.description
    case .decimal(let value): value.description
    default: ""
    }
  }
}
