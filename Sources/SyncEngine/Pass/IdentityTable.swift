import Records

/// Slots by the encoded keys of identities.
struct IdentityTable {
  private(set) var slots: [IdentityMap.Slot] = []
  /// The keys of all slots, one behind another.
  private var keys: [UInt8] = []
  /// Slots by the hash of their key, plus one; 0 is free.
  private var table = [UInt32](repeating: 0, count: 64)
  private var encoder = KeyEncoder()
  private let seed = UInt64.random(in: 0...UInt64.max)

  subscript(slot: Int) -> IdentityMap.Slot {
    @inline(__always) _read { yield slots[slot] }
    @inline(__always) _modify { yield &slots[slot] }
  }

  /// The slot of the key that a closure encodes; nil if it returns false.
  @inline(__always)
  mutating func slot(_ encode: (inout KeyEncoder) -> Bool) -> Int? {
    encoder.removeAll()
    return encode(&encoder) ? slotOfEncodedKey() : nil
  }

  private mutating func slotOfEncodedKey() -> Int {
    if (slots.count + 1) * 2 > table.count { grow() }
    return encoder.bytes.withUnsafeBufferPointer { key in
      var place = hash(of: key)
      while table[place] != 0 {
        let slot = Int(table[place]) - 1
        if withKey(of: slot, { $0.isEqual(to: key) }) { return slot }
        place = (place + 1) & (table.count - 1)
      }
      table[place] = UInt32(slots.count + 1)
      slots.append(IdentityMap.Slot(keyStart: keys.count))
      keys.append(contentsOf: key)
      return slots.count - 1
    }
  }

  /// Adds a slot that no key leads to.
  mutating func appendAnonymousSlot() -> Int {
    slots.append(IdentityMap.Slot(keyStart: keys.count, isAnonymous: true))
    return slots.count - 1
  }

  /// Calls a closure with the key of a slot.
  @inline(__always)
  func withKey<Result>(of slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let end = slot + 1 < slots.count ? slots[slot + 1].keyStart : keys.count
    return keys.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[slots[slot].keyStart..<end])) }
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for slot in slots.indices where !slots[slot].isAnonymous {
      var place = withKey(of: slot) { hash(of: $0) }
      while table[place] != 0 { place = (place + 1) & (table.count - 1) }
      table[place] = UInt32(slot + 1)
    }
  }

  private func hash(of key: UnsafeBufferPointer<UInt8>) -> Int {
    Int(truncatingIfNeeded: KeyHash.hash(UnsafeRawBufferPointer(key), seed: seed)) & (table.count - 1)
  }
}
