import FoundationEssentials
import Records
import SyncEngine

/// Values as people read them in a terminal.
enum ValueText {
  /// How many bytes of data are shown. A text is for reading; the other formats have everything.
  private static let dataByteCountMax = 48

  private static func text(_ value: FieldValue) throws -> String {
    switch value {
    case .string(let text):
      return escaped(json { $0.writeString(text) })
    case .data(let data) where data.count > dataByteCountMax:
      return "\(Data(data.prefix(dataByteCountMax)).base64EncodedString())… (\(data.count) bytes)"
    case .data(let data):
      return "\(data.base64EncodedString()) (\(data.count) bytes)"
    case .url(let text):
      return escaped(text)
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      return ExactDate.text(seconds) ?? "\(seconds) seconds after 2001-01-01T00:00:00Z"
    case .uuid(let value):
      return value.uuidString
    default:
      return escaped(try json { try $0.write(value) })
    }
  }

  static func text(_ value: PropertyValue) throws -> String {
    switch value {
    case .attribute(let value): try text(value)
    case .toOne(nil): "null"
    case .toOne(let reference?): try text(reference)
    case .toMany(let references): "[\(try references.map { try text($0) }.joined(separator: ", "))]"
    }
  }

  private static func text(_ reference: RowReference) throws -> String {
    switch reference {
    case .identity(let value): try text(value)
    case .row(let row): "row \(row.rawValue)"
    }
  }

  /// A text without line breaks and without the characters that a terminal takes for commands or that turn the direction of
  /// writing around.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default:
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func json(_ body: (inout JSONWriter) throws -> Void) rethrows -> String {
    var writer = JSONWriter()
    try body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
