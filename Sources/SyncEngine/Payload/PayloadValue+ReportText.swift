/// Values as reports show them.
extension PayloadValue {
  /// How much of a text a report shows.
  private static let reportBytesMax = 80

  /// The value as text, shortened.
  var reportText: String {
    switch kind {
    case .null: return "null"
    case .bool: return isTrue ? "true" : "false"
    case .object: return "{…}"
    case .array: return count == 0 ? "[]" : "[…]"
    case .date: return DateFormat.text(of: dateSeconds)
    case .uuid: return Coercion.uuid(self)?.uuidString ?? ""
    case .data: return "\(bytes.count) bytes"
    default:
      guard bytes.count > Self.reportBytesMax else { return string }
      return String(decoding: bytes.prefix(Self.reportBytesMax), as: UTF8.self) + "…"
    }
  }
}
