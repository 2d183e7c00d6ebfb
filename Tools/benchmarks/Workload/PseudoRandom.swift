import Foundation

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

  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True in so many of a hundred cases.
  mutating func isTrue(percent: Int) -> Bool { below(100) < percent }

  mutating func element<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }
}

extension UUID {
  /// A random identity, version 4.
  init(_ numbers: inout PseudoRandom) {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { bytes in
      bytes.copyBytes(from: numbers.bytes(bytes.count))
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
    }
    self.init(uuid: uuid)
  }
}
