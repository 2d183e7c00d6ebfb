import TestSupport
import Testing

@testable import Records

/// Sorting by numbers in linear time.
@Suite struct NumberSortTests {
  @Test(arguments: [0, 1, 2, 64, 128, 129, 1000, 5000])
  func sortsAndKeepsEqualsInTheirOrder(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for bits in [1, 8, 11, 12, 33, 64] {
      let elements = (0..<count).map { position in
        (number: random.next() >> UInt64(64 - bits), position: position)
      }
      var sorted = elements
      sorted.sort(byNumber: { $0.number })
      let expected = elements.sorted { ($0.number, $0.position) < ($1.number, $1.position) }
      #expect(sorted.map(\.position) == expected.map(\.position))
    }
  }
}
