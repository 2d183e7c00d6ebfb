@testable import Records

extension RecordBuilder {
  /// The record as bytes of their own.
  func encoded(entity: EntityID = EntityID(rawValue: 1), row: RowNumber = RowNumber(rawValue: 1)) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: encodedByteCount)
    bytes.withUnsafeMutableBytes { encode(into: $0, entity: entity, row: row) }
    return bytes
  }
}

extension KeyEncoder {
  /// The key of one value.
  static func key(_ append: (inout KeyEncoder) -> Void) -> [UInt8] {
    var encoder = KeyEncoder()
    append(&encoder)
    return encoder.bytes
  }
}
