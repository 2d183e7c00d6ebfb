/// The number of a row within its entity.
///
/// Numbers are handed out in ascending order and never again, so a number names the same row for ever, and a batch of new
/// rows lies in the order of its creation. Links between rows are made of them, eight bytes each.
public struct RowNumber: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number itself; the first row is 1.
  public let rawValue: UInt64

  /// The row with a number.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Whether the left row was made before the right one.
  @inlinable
  public static func < (left: RowNumber, right: RowNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}
