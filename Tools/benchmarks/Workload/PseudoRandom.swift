/// Numbers that look random and follow from a seed: a counter, scrambled by one wide multiplication.
struct PseudoRandom {
  private var counter: UInt64

  init(seed: UInt64) {
    counter = seed &* 0x2545_F491_4F6C_DD1D
  }

  mutating func next() -> UInt64 {
    counter &+= 0xA076_1D64_78BD_642F
    let product = counter.multipliedFullWidth(by: counter ^ 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }

  /// Costs a nanosecond for eight bytes, so that it disappears beside what is measured.
  mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      var offset = 0
      while offset < count {
        withUnsafeBytes(of: next()) { number in
          let taken = min(number.count, count - offset)
          bytes[offset..<(offset + taken)].copyBytes(from: number.prefix(taken))
          offset += taken
        }
      }
      initializedCount = count
    }
  }
}
