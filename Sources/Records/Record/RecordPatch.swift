/// Changes the one thing in a stored record that changes without the row itself being edited: where a to-one relationship
/// leads, after its other direction was set.
enum RecordPatch {
  /// Replaces a to-one field in the bytes of a well-formed record, and the checksum.
  static func setRow(
    _ target: RowNumber?, field: FieldIndex, in record: inout [UInt8], layout: RecordLayout, entity: EntityID,
    row: RowNumber
  ) {
    let offset = layout.fields[field].place
    let presence = RecordLayout.presenceOffset + field >> 3
    let bit: UInt8 = 1 << UInt8(field & 7)
    record[presence] = target == nil ? record[presence] & ~bit : record[presence] | bit
    record.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: (target?.rawValue ?? 0).littleEndian, toByteOffset: offset, as: UInt64.self)
      RecordChecksum.write(to: bytes, entity: entity, row: row)
    }
  }
}
