/// The identity of a store: 16 random bytes made when it is created and kept in it.
///
/// A copy of a store's folder has the same identifier.
public struct StoreIdentifier: Sendable, Hashable, CustomStringConvertible {
  /// How many bytes an identifier has.
  public static let byteCount = 16

  private let high: UInt64
  private let low: UInt64

  /// A new one, from the system's source of randomness.
  public init() {
    high = .random(in: .min ... .max)
    low = .random(in: .min ... .max)
  }

  /// Reads one from its bytes; nil unless there are exactly `byteCount`.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The 16 bytes.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  /// The 16 bytes as 32 hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
