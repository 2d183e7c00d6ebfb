import Glibc

extension UnsafeRawBufferPointer {
  /// Less than, equal to or greater than zero, as these bytes sort before, with or after others. Of two that agree, the
  /// shorter is first.
  func compare(_ other: UnsafeRawBufferPointer) -> Int {
    let common = Swift.min(count, other.count)
    if common > 0, let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, common)
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }

  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && compare(other) == 0
  }

  func hasPrefix(_ prefix: UnsafeRawBufferPointer) -> Bool {
    count >= prefix.count && UnsafeRawBufferPointer(rebasing: self[..<prefix.count]).compare(prefix) == 0
  }
}
