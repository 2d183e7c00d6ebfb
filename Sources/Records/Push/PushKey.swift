/// A key of the table `push`: the entity, which part of what is kept of a row, and the row, thirteen bytes.
///
/// The part stands before the row, so that looking for what is pending reads entries alone, and not the images behind them.
struct PushKey: Equatable {
  enum Part: UInt8 {
    /// What has happened to the row: a `PushEntry`.
    case entry
    /// What the row was before: a `PushBase`.
    case base
    /// What the server said against it: a `PushRefusal`.
    case refusal
  }

  static let byteCount = 13

  var entity: EntityID
  var part: Part
  var row: RowNumber

  init(_ part: Part, of row: RowNumber, _ entity: EntityID) {
    self.entity = entity
    self.part = part
    self.row = row
  }

  /// Reads a key; nil for bytes that are none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == PushKey.byteCount, let part = Part(rawValue: bytes[4]) else { return nil }
    entity = EntityID(rawValue: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
    self.part = part
    row = RowNumber(rawValue: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 5, as: UInt64.self)))
  }

  var bytes: [UInt8] { PushKey.prefix(entity, part) + row.rawValue.withBytes { [UInt8]($0) } }

  /// What the keys of a part of an entity begin with.
  static func prefix(_ entity: EntityID, _ part: Part) -> [UInt8] { prefix(entity) + [part.rawValue] }

  /// What the keys of an entity begin with.
  static func prefix(_ entity: EntityID) -> [UInt8] {
    withUnsafeBytes(of: entity.rawValue.bigEndian) { [UInt8]($0) }
  }
}
