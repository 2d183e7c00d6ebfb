import FoundationEssentials

/// One attribute's value outside of a record: what is passed where the attribute's type is known only at run time.
///
/// The hot path (payload to record, record to record) never makes one; it writes fields of a `RecordBuilder` and reads
/// them from a `RecordView` in their own types.
@usableFromInline
package enum FieldValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// Every signed width; the attribute's type says which.
  case int(Int64)
  /// Every unsigned width; the attribute's type says which.
  case uint(UInt64)
  case float(Float)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case uuid(UUID)
  /// A URL's absolute text: kept as it was written, so that no value changes by being stored.
  case url(String)
  case data(Data)
  /// The JSON text of a `Codable` value.
  case composite(Data)
  /// A text, data or JSON that lies outside of the record, and has not been read.
  case external(ContentReference)
}

extension FieldValue {
  /// The value that a content is in a field of varying length.
  init(_ kind: FieldKind, content: UnsafeRawBufferPointer) {
    self =
      switch kind {
      case .string: .string(String(decoding: content, as: UTF8.self))
      case .url: .url(String(decoding: content, as: UTF8.self))
      case .composite: .composite(Data(content))
      default: .data(Data(content))
      }
  }
}
