import Glibc

/// Looks whether keys come in the order of their bytes.
struct KeyOrder {
  /// Keys that agree in so many bytes have an order of their own.
  private static let orderedBytesMax = 495

  private var last = [UInt8](repeating: 0, count: orderedBytesMax)
  private var lastCount = 0

  /// Takes the next key; false if it does not come after the last one.
  mutating func take(_ key: UnsafeRawBufferPointer) -> Bool {
    let count = min(key.count, Self.orderedBytesMax)
    let lastCount = lastCount
    self.lastCount = count
    return last.withUnsafeMutableBytes { last in
      guard let start = last.baseAddress, let keyStart = key.baseAddress else { return false }
      let order = memcmp(start, keyStart, min(lastCount, count))
      start.copyMemory(from: keyStart, byteCount: count)
      if order != 0 { return order < 0 }
      return lastCount < count || (count == Self.orderedBytesMax && lastCount == count)
    }
  }
}
