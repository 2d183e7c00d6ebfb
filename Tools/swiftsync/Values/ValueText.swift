import FoundationEssentials
import Records
import SyncEngine

/// Values as people read them.
enum ValueText {
  /// How many bytes of data are shown. A text is for reading; the other formats have everything.
  private static let dataByteCountMax = 48

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

  private static func text(_ value: FieldValue) throws -> String {
    switch value {
    case .url(let text):
      return text
    case .uuid(let value):
      return value.uuidString
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      return ExactDate.text(seconds) ?? "\(seconds) seconds after 2001-01-01T00:00:00Z"
    case .data(let data):
      let start = Data(data.prefix(dataByteCountMax)).base64EncodedString()
      return "\(start)\(data.count > dataByteCountMax ? "…" : "") (\(data.count) bytes)"
    default:
      var json = JSONWriter()
      try json.write(value)
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }
}
