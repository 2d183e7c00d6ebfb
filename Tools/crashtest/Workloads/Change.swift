import TestSupport

/// What the body of a commit does to the tables of its lane.
enum Change: String, CaseIterable, Sendable {
  /// A few small entries.
  case small
  /// Values that have pages of their own.
  case large
  /// Many entries at once, in order or not, and ranges that go, so that pages are split and merged.
  case trees
  /// Parts of a commit that are given up, beside and inside of each other.
  case nested
  /// Thousands of entries.
  case big
  /// More bytes than fit into one frame of the log.
  case bulk

  static let quick: [Change] = [.small, .small, .large, .trees, .nested]

  /// Makes the changes that follow from a seed: the same ones if the body has to run again.
  func apply(to lane: LaneTransaction, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    switch self {
    case .small: try changeLittle(lane, &random)
    case .large: try changeLargeValues(lane, &random)
    case .trees: try changeTrees(lane, &random)
    case .nested: try changeInParts(lane, depth: 0, &random)
    case .big: try changeMuch(lane, &random)
    case .bulk: try changeInBulk(lane, &random)
    }
  }

  private func changeLittle(_ lane: LaneTransaction, _ random: inout SplitMix64) throws {
    for _ in 0...random.below(6) {
      let key = Self.key(random.below(400))
      let place = random.below(3)
      if random.chance(75) {
        try lane.put(random.bytes(random.below(80)), for: key, in: place)
      } else {
        try lane.delete(key, in: place)
      }
    }
  }

  private func changeInParts(_ lane: LaneTransaction, depth: Int, _ random: inout SplitMix64) throws {
    for _ in 0...random.below(3) {
      try changeLittle(lane, &random)
      let givesUp = random.chance(40)
      do {
        try lane.nested { part in
          if depth < 2, random.chance(40) { try changeInParts(part, depth: depth + 1, &random) }
          try changeLittle(part, &random)
          if givesUp { throw GivenUp() }
        }
      } catch is GivenUp {}
    }
  }

  private func changeLargeValues(_ lane: LaneTransaction, _ random: inout SplitMix64) throws {
    for _ in 0...random.below(2) {
      let key = Self.key(random.below(24))
      if random.chance(75) {
        let size = random.chance(10) ? 100_000 + random.below(200_000) : 2_000 + random.below(40_000)
        try lane.put(Self.value(size, &random), for: key, in: 1)
      } else {
        try lane.delete(key, in: 1)
      }
    }
  }

  private func changeTrees(_ lane: LaneTransaction, _ random: inout SplitMix64) throws {
    let place = random.below(3)
    let start = random.below(3_000)
    if random.chance(35) {
      try lane.deleteRange(from: Self.key(start), limit: 20 + random.below(200), in: place)
      return
    }
    if random.chance(3) { try lane.clear(place) }
    let count = 20 + random.below(200)
    let pad = random.chance(10) ? 500 + random.below(300) : random.below(230)
    let order = random.below(3)
    for index in 0..<count {
      let number =
        switch order {
        case 0: start + index
        case 1: start + count - index
        default: random.below(3_000)
        }
      let key = Self.key(number) + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: pad)
      try lane.put(Self.value(random.below(120), &random), for: key, in: place)
    }
  }

  private func changeMuch(_ lane: LaneTransaction, _ random: inout SplitMix64) throws {
    let count = 1_500 + random.below(4_000)
    let place = random.below(3)
    for _ in 0..<count {
      let key = Self.key(random.below(20_000))
      if random.chance(80) {
        try lane.put(Self.value(20 + random.below(60), &random), for: key, in: place)
      } else {
        try lane.delete(key, in: place)
      }
    }
  }

  private func changeInBulk(_ lane: LaneTransaction, _ random: inout SplitMix64) throws {
    let count = 70 + random.below(40)
    for _ in 0..<count { try lane.put(Self.value(65_000, &random), for: Self.key(random.below(200)), in: 2) }
  }

  private static func key(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
  }

  /// Bytes that are told from others by their first ones, made quickly.
  private static func value(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: count)
    withUnsafeBytes(of: random.next()) { bytes.replaceSubrange(0..<min(8, count), with: $0.prefix(min(8, count))) }
    return bytes
  }
}
