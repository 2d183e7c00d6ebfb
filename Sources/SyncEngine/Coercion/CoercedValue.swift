import FoundationEssentials
import Records

/// A payload value in the type of an attribute, on its way into a record or an index key.
enum CoercedValue {
  case bool(Bool)
  /// Every signed width, within the attribute's range.
  case int(Int64)
  /// Every unsigned width, within the attribute's range.
  case uint(UInt64)
  case float(Float)
  case double(Double)
  case decimal(Decimal)
  /// Seconds since the reference date.
  case date(Double)
  case uuid(UUID)
  /// Text, data or JSON as it lies in the document.
  case borrowed(UnsafeBufferPointer<UInt8>)
  /// Text or JSON that had to be made.
  case made([UInt8])
  /// Data that had to be made.
  case data(Data)

  /// Writes the value into a field whose attribute it was made for.
  @inline(__always)
  func write(to field: FieldIndex, of builder: inout RecordBuilder) {
    switch self {
    case .bool(let value): builder.setBool(field, value)
    case .int(let value): builder.setInt64(field, value)
    case .uint(let value): builder.setUInt64(field, value)
    case .float(let value): builder.setFloat(field, value)
    case .double(let value): builder.setDouble(field, value)
    case .decimal(let value): builder.setDecimal(field, value)
    case .date(let value): builder.setDate(field, value)
    case .uuid(let value): builder.setUUID(field, value)
    case .borrowed(let bytes): builder.setUTF8(field, UnsafeRawBufferPointer(bytes))
    case .made(let bytes): builder.setUTF8(field, bytes)
    case .data(let data): builder.setData(field, data)
    }
  }

  /// Appends the value to an index key, as a value of the attribute's type.
  @inline(__always)
  func append(to key: inout KeyEncoder, as type: AttributeType) {
    switch self {
    case .bool(let value): key.append(value)
    case .int(let value): key.append(value)
    case .uint(let value): key.append(value)
    case .float(let value): key.append(Double(value))
    case .double(let value): key.append(value)
    case .decimal(let value): key.append(value)
    case .date(let value): key.append(dateSeconds: value)
    case .uuid(let value): key.append(value)
    case .borrowed(let bytes): Self.append(UnsafeRawBufferPointer(bytes), to: &key, as: type)
    case .made(let bytes): bytes.withUnsafeBytes { Self.append($0, to: &key, as: type) }
    case .data(let data): data.withUnsafeBytes { Self.append($0, to: &key, as: type) }
    }
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to key: inout KeyEncoder, as type: AttributeType) {
    switch type {
    case .string, .url: key.append(utf8: bytes)
    default: key.append(data: bytes)
    }
  }
}
