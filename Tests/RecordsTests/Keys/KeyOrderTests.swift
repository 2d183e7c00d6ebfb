import Foundation
import TestSupport
import Testing

@testable import Records

/// Keys are compared as bytes, so their order must be the one that Swift gives to the values.
@Suite struct KeyOrderTests {
  /// Checks every pair of the values: the keys have the order that `<` says, and equal keys mean neither is less.
  private func expectOrder<Value: Comparable>(
    _ values: [Value], _ append: (inout KeyEncoder, Value) -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let keys = values.map { value in KeyEncoder.key { append(&$0, value) } }
    for left in values.indices {
      for right in values.indices {
        let keyIsLess = keys[left].lexicographicallyPrecedes(keys[right])
        let valueIsLess = values[left] < values[right]
        if keyIsLess != valueIsLess || (keys[left] == keys[right]) != (values[left] == values[right]) {
          Issue.record(
            "\(values[left]) and \(values[right]) have keys \(keys[left]) and \(keys[right])",
            sourceLocation: sourceLocation)
          return
        }
      }
    }
  }

  @Test func signedIntegersOfEveryWidth() {
    var random = SplitMix64(seed: 1)
    expectOrder((0..<150).map { _ in random.integer() as Int64 }) { $0.append($1) }
    expectOrder((0..<150).map { _ in random.integer() as Int32 }) { $0.append(Int64($1)) }
    expectOrder((0..<150).map { _ in random.integer() as Int16 }) { $0.append(Int64($1)) }
    expectOrder((0..<150).map { _ in random.integer() as Int8 }) { $0.append(Int64($1)) }
  }

  @Test func unsignedIntegersOfEveryWidth() {
    var random = SplitMix64(seed: 2)
    expectOrder((0..<150).map { _ in random.integer() as UInt64 }) { $0.append($1) }
    expectOrder((0..<150).map { _ in random.integer() as UInt32 }) { $0.append(UInt64($1)) }
    expectOrder((0..<150).map { _ in random.integer() as UInt8 }) { $0.append(UInt64($1)) }
  }

  @Test func floatingPointWithInfinitiesAndBothZeros() {
    var random = SplitMix64(seed: 3)
    expectOrder((0..<200).map { _ in random.double() }) { $0.append($1) }
    expectOrder((0..<200).map { _ in Float(random.double()) }) { $0.append(Double($1)) }
    expectOrder((0..<200).map { _ in Date(timeIntervalSinceReferenceDate: random.double()) }) {
      $0.append(dateSeconds: $1.timeIntervalSinceReferenceDate)
    }
  }

  @Test(arguments: [Double.nan, -Double.nan, .signalingNaN, Double(nan: 7, signaling: false)])
  func notANumberIsOneKeyBehindAllNumbers(nan: Double) {
    let key = KeyEncoder.key { $0.append(nan) }
    #expect(key == KeyEncoder.key { $0.append(Double.nan) })
    #expect(KeyEncoder.key { $0.append(Double.infinity) }.lexicographicallyPrecedes(key))
  }

  /// A text that compares as its composed form.
  ///
  /// Swift's own `<` contradicts itself when a text begins with another spelling of the other: of "e\u{301}" and "\u{E9}a"
  /// neither is less, and they are not equal. Between composed forms it is what it should be, and so are the keys.
  private struct Text: Comparable {
    var written: String
    var composed: String { written.precomposedStringWithCanonicalMapping }

    static func == (left: Text, right: Text) -> Bool { left.written == right.written }
    static func < (left: Text, right: Text) -> Bool { left.composed < right.composed }
  }

  @Test func textInSwiftsOrderWithComposedAndDecomposedForms() {
    var random = SplitMix64(seed: 4)
    expectOrder((0..<400).map { _ in Text(written: random.text()) }) { $0.append($1.written) }
  }

  @Test(arguments: [
    ("\u{E9}", "e\u{301}"), ("\u{1E69}", "s\u{323}\u{307}"), ("s\u{307}\u{323}", "\u{1E69}"),
    ("\u{AC00}", "\u{1100}\u{1161}"),
    ("\u{212B}", "\u{C5}"),
  ])
  func spellingsOfOneTextAreOneKey(first: String, second: String) {
    #expect(first == second)
    #expect(Array(first.utf8) != Array(second.utf8))
    #expect(KeyEncoder.key { $0.append(first) } == KeyEncoder.key { $0.append(second) })
  }

  @Test func textThatIsNotUTF8HasTheKeyOfWhatIsRead() {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x62]
    let key = KeyEncoder.key { encoder in bytes.withUnsafeBytes { encoder.append(utf8: $0) } }
    #expect(key == KeyEncoder.key { $0.append(String(decoding: bytes, as: UTF8.self)) })
  }

  @Test func longTextsOutsideOfASCII() {
    let stem = String(repeating: "abcdefgh", count: 20)
    expectOrder(["", "a", "e\u{301}", "é", "日本", "z"].flatMap { [stem + $0, stem + $0 + stem] }) { $0.append($1) }
  }

  @Test func decimals() {
    var random = SplitMix64(seed: 5)
    expectOrder((0..<300).map { _ in random.decimal() } + [.nan]) { $0.append($1) }
  }

  @Test func dataByteByByte() {
    var random = SplitMix64(seed: 6)
    let values = (0..<200).map { _ in random.data() }
    let keys = values.map { value in KeyEncoder.key { encoder in value.withUnsafeBytes { encoder.append(data: $0) } } }
    for left in values.indices {
      for right in values.indices {
        #expect(
          keys[left].lexicographicallyPrecedes(keys[right]) == values[left].lexicographicallyPrecedes(values[right]))
      }
    }
  }

  @Test func uuidsAndBools() {
    var random = SplitMix64(seed: 7)
    expectOrder((0..<100).map { _ in random.uuid() }) { $0.append($1) }
    #expect(KeyEncoder.key { $0.append(false) }.lexicographicallyPrecedes(KeyEncoder.key { $0.append(true) }))
  }

  @Test(arguments: AttributeType.allCases)
  func nullIsBeforeEveryValue(type: AttributeType) {
    var random = SplitMix64(seed: 8)
    let null = KeyEncoder.key { $0.appendNull() }
    for _ in 0..<50 {
      let value = random.value(of: type)
      var encoder = KeyEncoder()
      let isEncoded = encoder.append(value, as: type)
      #expect(isEncoded)
      #expect(null.lexicographicallyPrecedes(encoder.bytes))
    }
  }

  @Test func compositeKeysSortByTheirFirstDifference() {
    struct Pair: Comparable {
      var first: Text
      var second: Int64

      static func < (left: Pair, right: Pair) -> Bool {
        left.first == right.first ? left.second < right.second : left.first < right.first
      }
    }
    var random = SplitMix64(seed: 9)
    expectOrder((0..<300).map { _ in Pair(first: Text(written: random.text()), second: random.integer()) }) {
      $0.append($1.first.written)
      $0.append($1.second)
    }
  }

  @Test(arguments: [
    (FieldValue.string("1"), AttributeType.int64), (.int(1), .uint64), (.double(1), .float), (.string("x"), .url),
    (.uint(1), .string), (.data(Data()), .composite),
  ])
  func valueOfAnotherTypeHasNoKey(value: FieldValue, type: AttributeType) {
    var encoder = KeyEncoder()
    let isEncoded = encoder.append(value, as: type)
    #expect(!isEncoded)
    #expect(encoder.bytes.isEmpty)
  }
}
