/// What a node of a payload document is.
///
/// The first eight exist in JSON; the others come from payloads that are built of native values.
package enum PayloadKind: UInt8, Sendable {
  case null
  case bool
  /// A whole number without fraction and exponent, as text of any length.
  case integer
  /// A number with a fraction or an exponent, as text.
  case real
  case string
  case object
  case array
  /// The text of a native `Double` or `Float`, which may be `nan` or `inf`.
  case nativeReal
  case decimal
  case url
  case data
  /// Seconds since the reference date.
  case date
  case uuid
}

/// One node of a document: 64 bits.
///
/// ```
/// scalar:     kind (4) | in scratch (1) | length in bytes (27) | offset (32)
/// bool:       kind (4) | native (1)     | 0               (27) | value  (32)
/// container:  kind (4) | number of members or elements    (28) | index of the node behind it (32)
/// ```
///
/// An object is followed by its members, each a string node for the key and the value's nodes; an array by its elements.
struct PayloadNode: Sendable {
  /// What fits into the length of a scalar: 128 MiB.
  static let lengthMax = 1 << 27 - 1
  /// What fits into the count of a container.
  static let countMax = 1 << 28 - 1
  /// What fits into an offset or an index.
  static let offsetMax = Int(UInt32.max)

  var bits: UInt64

  init(bits: UInt64) {
    self.bits = bits
  }

  /// The caller has checked length and offset against their maxima.
  @inline(__always)
  init(_ kind: PayloadKind, inScratch: Bool, offset: Int, length: Int) {
    bits =
      UInt64(kind.rawValue) << 60 | (inScratch ? 1 << 59 : 0) | UInt64(truncatingIfNeeded: length) << 32
      | UInt64(truncatingIfNeeded: offset)
  }

  /// A container whose end is not known yet.
  @inline(__always)
  init(open kind: PayloadKind) {
    bits = UInt64(kind.rawValue) << 60
  }

  @inline(__always)
  init(bool value: Bool, isNative: Bool) {
    bits = UInt64(PayloadKind.bool.rawValue) << 60 | (isNative ? 1 << 59 : 0) | (value ? 1 : 0)
  }

  static var null: PayloadNode { PayloadNode(bits: UInt64(PayloadKind.null.rawValue) << 60) }

  @inline(__always)
  mutating func close(count: Int, end: Int) {
    bits |= UInt64(truncatingIfNeeded: count) << 32 | UInt64(truncatingIfNeeded: end)
  }

  @inline(__always)
  var kind: PayloadKind {
    // Nodes are only ever made from a kind, so the four bits always name one.
    PayloadKind(rawValue: UInt8(truncatingIfNeeded: bits >> 60)) ?? .null
  }

  @inline(__always)
  var isContainer: Bool {
    let kind = bits >> 60
    return kind == UInt64(PayloadKind.object.rawValue) || kind == UInt64(PayloadKind.array.rawValue)
  }

  /// For a scalar: whether its bytes lie in the document's scratch space instead of its text. For a bool: whether it was
  /// a native `Bool`.
  @inline(__always)
  var flag: Bool { bits & (1 << 59) != 0 }

  @inline(__always)
  var length: Int { Int(truncatingIfNeeded: (bits >> 32) & UInt64(Self.lengthMax)) }

  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: (bits >> 32) & UInt64(Self.countMax)) }

  /// The index of the node behind a container.
  @inline(__always)
  var end: Int { offset }
}
