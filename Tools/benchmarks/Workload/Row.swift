/// A row of the workload: what is stored, and under which key.
struct Row: Sendable {
  static let keyBytes = 16
  static let valueBytes = 200

  var key: [UInt8]
  var value: [UInt8]

  /// What a store holds for one row, without what the store itself needs.
  static let byteCount = keyBytes + valueBytes
}
