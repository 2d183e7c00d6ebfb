import TestSupport
import Testing

@testable import KeyValueStore

/// `after` and `before` replaced a range's end instead of moving it inwards, so that a page could begin outside of its prefix.
@Suite("Parts of ranges")
struct KeyRangeTests {
  static let keys: [[UInt8]] = [[1], [2, 1], [2, 2], [3], [255], [255, 1]]

  struct Part: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var range: KeyRange
    var keys: [[UInt8]]
  }

  static let parts = [
    Part(testDescription: "behind a key before the prefix", range: .prefix([2]).after([0]), keys: [[2, 1], [2, 2]]),
    Part(testDescription: "behind a key of the prefix", range: .prefix([2]).after([2, 1]), keys: [[2, 2]]),
    Part(testDescription: "behind a key behind the prefix", range: .prefix([2]).after([3]), keys: []),
    Part(
      testDescription: "behind a key before the lower end", range: .from([2, 2]).after([1]),
      keys: [[2, 2], [3], [255], [255, 1]]),
    Part(
      testDescription: "behind the lower end itself", range: .from([2, 2]).after([2, 2]), keys: [[3], [255], [255, 1]]),
    Part(
      testDescription: "behind an earlier key than before", range: .all.after([3]).after([1]), keys: [[255], [255, 1]]),
    Part(testDescription: "before a key behind the upper end", range: .to([2, 2]).before([3]), keys: [[1], [2, 1]]),
    Part(
      testDescription: "before a key behind an included end", range: .through([2, 2]).before([3]),
      keys: [[1], [2, 1], [2, 2]]),
    Part(testDescription: "before an included end", range: .through([2, 2]).before([2, 2]), keys: [[1], [2, 1]]),
    Part(testDescription: "before a key behind the prefix", range: .prefix([2]).before([9]), keys: [[2, 1], [2, 2]]),
    Part(testDescription: "both", range: .from([2], to: [3]).after([0]).before([255]), keys: [[2, 1], [2, 2]]),
  ]

  @Test("a part never has a key that its range has not", arguments: parts)
  func staysInside(part: Part) throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    try environment.write { transaction in
      for key in Self.keys { try transaction.put([], for: key, in: table) }
    }
    for isReversed in [false, true] {
      let found = try environment.read { try $0.entries(table, in: part.range, reversed: isReversed) }.map(\.key)
      #expect(found == (isReversed ? part.keys.reversed() : part.keys))
    }
  }
}
