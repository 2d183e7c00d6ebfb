import Foundation
import TestSupport
import Testing

@testable import Records

@Suite struct IndexKeysTests {
  @Test func positionsSortByKeyAndThenByPosition() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<50 {
      var keys = IndexKeys()
      let texts: [String?] = (0..<random.below(100)).map { _ in
        random.chance(10) ? nil : random.text().precomposedStringWithCanonicalMapping
      }
      for text in texts {
        keys.append { encoder in
          if let text { encoder.append(text) } else { encoder.appendNull() }
          encoder.append(Int64(1))
        }
      }
      let expected = texts.indices.sorted { left, right in
        switch (texts[left], texts[right]) {
        case (nil, nil): left < right
        case (nil, _): true
        case (_, nil): false
        case (let first?, let second?): first == second ? left < right : first < second
        }
      }
      #expect(keys.sortedPositions() == expected)
    }
  }

  @Test func keysAreKeptApart() {
    var keys = IndexKeys()
    keys.append { $0.append("one") }
    keys.append { $0.append(Int64(2)) }
    #expect(keys.count == 2)
    #expect(keys.withKey(at: 1) { [UInt8]($0) } == KeyEncoder.key { $0.append(Int64(2)) })
    keys.removeAll()
    #expect(keys.count == 0)
    #expect(keys.sortedPositions().isEmpty)
  }
}
