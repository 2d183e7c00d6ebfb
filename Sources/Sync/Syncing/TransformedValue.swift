import Foundation
import Records
import SyncEngine

/// How values of transformable attributes are stored: as JSON, in which what JSON has no form for is an object with one member that
/// says what it is.
package enum TransformedValue {
  private enum Tag: String {
    case date = "$date"
    case data = "$data"
    case uuid = "$uuid"
    case url = "$url"
    case decimal = "$decimal"
  }

  /// The stored form of a value; nil for one that has none.
  package static func encode(_ value: Any) -> FieldValue? {
    guard let document = try? PayloadDocument(value) else { return nil }
    return document.read { value in
      guard !value.isNull else { return .null }
      var writer = JSONWriter()
      write(value, to: &writer)
      return .composite(Data(writer.bytes))
    }
  }

  /// The value that was stored; nil for null, and for what was not stored by `encode`.
  package static func decode(_ field: FieldValue) -> Any? {
    guard case .composite(let json) = field, let document = try? PayloadDocument(json: json) else { return nil }
    return document.read { $0.isNull ? nil : value(of: $0) }
  }

  private static func write(_ value: PayloadValue, to writer: inout JSONWriter) {
    switch value.kind {
    case .array:
      writer.beginArray()
      for element in value.elements { write(element, to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      // In one order, so that equal values have equal bytes.
      for (key, value) in value.members.map({ ($0.key.string, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
        writer.writeKey(key)
        write(value, to: &writer)
      }
      writer.endObject()
    case .date: write(.date, value.dateSeconds.description, to: &writer)
    case .data: write(.data, Data(value.bytes).base64EncodedString(), to: &writer)
    case .uuid: write(.uuid, (value.native as? UUID)?.uuidString ?? "", to: &writer)
    case .url: write(.url, value.string, to: &writer)
    case .decimal: write(.decimal, value.string, to: &writer)
    default: writer.write(value)
    }
  }

  private static func write(_ tag: Tag, _ text: String, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.writeKey(tag.rawValue)
    writer.writeString(text)
    writer.endObject()
  }

  private static func value(of node: PayloadValue) -> Any {
    switch node.kind {
    case .array: return node.elements.map { value(of: $0) }
    case .object:
      if let tagged = taggedValue(of: node) { return tagged }
      return Dictionary(
        node.members.map { ($0.key.string, value(of: $0.value)) }, uniquingKeysWith: { _, last in last })
    default: return node.native
    }
  }

  private static func taggedValue(of node: PayloadValue) -> Any? {
    guard node.count == 1, let member = node.members.first(where: { _ in true }),
      let tag = Tag(rawValue: member.key.string)
    else { return nil }
    let text = member.value.string
    return switch tag {
    case .date: Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    case .data: Data(base64Encoded: text)
    case .uuid: UUID(uuidString: text)
    case .url: URL(string: text)
    case .decimal: Decimal(string: text)
    }
  }
}
