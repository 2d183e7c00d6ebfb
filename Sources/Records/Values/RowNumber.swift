/// The number of a row within its entity.
///
/// Numbers are handed out in ascending order and never again, so a number names the same row for ever, and a batch of new
/// rows lies in the order of its creation. Links between rows are made of them, eight bytes each.
package struct RowNumber: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  @inlinable
  package static func < (left: RowNumber, right: RowNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}
