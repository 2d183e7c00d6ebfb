/// A small generator whose numbers follow from its seed, so that a failing test fails again, on every machine.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, a bound.
  package mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &self)
  }

  /// True this often in a hundred times.
  package mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// One of some elements; nil if there are none.
  package mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
    elements.randomElement(using: &self)
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in .random(in: 0...255, using: &self) }
  }
}
