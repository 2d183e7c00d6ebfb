import Foundation

extension AttributeValue {
  /// The value as the format of predicates writes it.
  var text: String {
    switch self {
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .integer(let value): value.description
    case .double(let value): value.isFinite ? value.description : "CAST(\"\(value)\", \"NSNumber\")"
    case .decimal(let value): "CAST(\"\(value)\", \"NSDecimalNumber\")"
    case .string(let value): AttributeValue.quoted(value)
    case .date(let value):
      value.timeIntervalSinceReferenceDate.isFinite
        ? "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
        : "CAST(\"\(value.timeIntervalSinceReferenceDate)\", \"NSDate\")"
    case .uuid(let value): "CAST(\"\(value.uuidString)\", \"NSUUID\")"
    case .url(let value): "CAST(\(AttributeValue.quoted(value)), \"NSURL\")"
    case .data(let value): "CAST(\"\(value.base64EncodedString())\", \"NSData\")"
    }
  }

  /// A text in quotation marks, with what would end it or can't be seen escaped.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
