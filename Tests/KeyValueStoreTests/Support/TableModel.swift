import Glibc
import TestSupport

@testable import KeyValueStore

/// What a table should hold, and in which order: by bytes, and among keys with the same stem by hash.
struct TableModel {
  private struct Row {
    var stored: [UInt8]
    var pair: Pair
  }

  private var rows: [Row] = []
  private let seed: UInt64

  init(_ environment: Environment) {
    seed = environment.core.seed
  }

  var count: Int { rows.count }

  subscript(key: [UInt8]) -> [UInt8]? {
    get {
      let index = index(of: key)
      return index < count && rows[index].pair.key == key ? rows[index].pair.value : nil
    }
    set {
      let index = index(of: key)
      let isThere = index < count && rows[index].pair.key == key
      switch (newValue, isThere) {
      case (let value?, true): rows[index].pair.value = value
      case (let value?, false): rows.insert(Row(stored: stored(key), pair: Pair(key: key, value: value)), at: index)
      case (nil, true): rows.remove(at: index)
      case (nil, false): break
      }
    }
  }

  mutating func removeAll() {
    rows = []
  }

  /// The entries of a range, in the order of the table or backwards.
  func entries(in range: KeyRange = .all, reversed: Bool = false) -> [Pair] {
    let pairs = rows.map(\.pair).filter { Self.contains(range, $0.key) }
    return reversed ? pairs.reversed() : pairs
  }

  /// Where the first key is that is `key` or comes after it in the table.
  func index(of key: [UInt8]) -> Int {
    let stored = stored(key)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].stored.precedes(stored) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func stored(_ key: [UInt8]) -> [UInt8] {
    key.withUnsafeBytes { StoredKey.with($0, seed: seed) { Array($0.bytes) } }
  }

  private static func contains(_ range: KeyRange, _ key: [UInt8]) -> Bool {
    let isAboveLower =
      switch range.lower {
      case .open: true
      case .including(let lower): !key.precedes(lower)
      case .excluding(let lower): lower.precedes(key)
      }
    let isBelowUpper =
      switch range.upper {
      case .open: true
      case .including(let upper): !upper.precedes(key)
      case .excluding(let upper): key.precedes(upper)
      }
    return isAboveLower && isBelowUpper
  }
}

extension [UInt8] {
  /// Whether these bytes sort before others. (`lexicographicallyPrecedes` takes minutes in a debug build.)
  func precedes(_ other: [UInt8]) -> Bool {
    let order = memcmp(self, other, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }
}

/// Keys of all kinds: short ones, ones around the limits, and long ones that agree for long.
struct KeySource {
  private var random: SplitMix64
  /// Few different bytes, so that keys collide and are prefixes of each other; 0xFF has no successor.
  private static let letters: [UInt8] = [0, 1, 97, 0xFF]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func next() -> [UInt8] {
    let letter = Self.letters.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return letters(1...3)
    case 4..<6: return [UInt8](repeating: letter, count: .random(in: 493...498, using: &random))
    case 6..<9: return [UInt8](repeating: letter, count: 494) + letters(0...4)
    default: return [UInt8](repeating: letter, count: .random(in: 500...3000, using: &random)) + letters(1...2)
    }
  }

  mutating func value() -> [UInt8] {
    random.bytes([0, 1, 20, 20, 20, 300, 5000].randomElement(using: &random) ?? 0)
  }

  mutating func range() -> KeyRange {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: .all
    case 1: .from(next())
    case 2: .from(next(), to: next())
    case 3: .from(next(), through: next())
    case 4: .to(next())
    case 5: .through(next())
    case 6: .from(next(), to: next()).after(next())
    case 7: .all.before(next())
    default: .prefix(next())
    }
  }

  mutating func number(_ range: Range<Int>) -> Int {
    .random(in: range, using: &random)
  }

  private mutating func letters(_ count: ClosedRange<Int>) -> [UInt8] {
    (0..<Int.random(in: count, using: &random)).map { _ in Self.letters.randomElement(using: &random) ?? 0 }
  }
}
