import Records

/// The rows of one entity that a pass has to do with, by identity.
///
/// Whoever is mentioned in the payload, as a row, as a nested object or in a foreign key, has a slot here, and one only. New
/// slots are collected, and their rows found together in one walk through the identity's index.
struct IdentityMap {
  /// A row of the pass.
  struct Slot {
    enum State {
      /// Not looked up yet.
      case unresolved
      /// The store has no such row, and the pass doesn't make one.
      case absent
      case stored
      /// The pass makes it. It has a row number once it is inserted.
      case created
    }

    var state = State.unresolved
    /// The row, if it is in the store by now.
    var row: RowNumber?
    fileprivate let key: Range<Int>
  }

  /// A stored row that has the identity of another one.
  struct Duplicate {
    let slot: Int
    let row: RowNumber
  }

  private(set) var slots: [Slot] = []

  private let attribute: Attribute
  private let index: Index
  /// The keys of all slots, one behind another.
  private var keys: [UInt8] = []
  /// Slots by the hash of their key, plus one; 0 is free.
  private var table = [UInt32](repeating: 0, count: 64)
  private var encoder = KeyEncoder()
  private var pending = IndexKeys()
  private var firstPending = 0

  init(_ identity: IdentityPlan) {
    attribute = identity.attribute
    index = identity.index
  }

  /// The slot of an identity.
  mutating func slot(for identity: CoercedValue) -> Int {
    encoder.removeAll()
    identity.append(to: &encoder, as: attribute.type)
    return slotOfEncodedKey()
  }

  /// The slot of the identity of a stored row that the pass came across in another way than by its identity.
  ///
  /// - Returns: Nil if the identity is null.
  mutating func slot(forStored row: RowNumber, identity: FieldValue) -> Int? {
    encoder.removeAll()
    guard identity != .null, encoder.append(identity, as: attribute.type) else { return nil }
    let slot = slotOfEncodedKey()
    if slots[slot].state == .unresolved || slots[slot].state == .absent {
      slots[slot].state = .stored
      slots[slot].row = row
    }
    return slot
  }

  /// Looks the new slots up in the store.
  ///
  /// - Returns: The rows that have the identity of a row that was found before them. Of several rows with one identity the
  ///   one with the lowest number stands for all.
  mutating func resolve(in transaction: RecordTransaction, entity: Entity) throws -> [Duplicate] {
    guard firstPending < slots.count else { return [] }
    var duplicates: [Duplicate] = []
    if try transaction.count(of: entity) > 0 {
      var found = slots[firstPending...]
      let first = firstPending
      try transaction.lookUp(pending, in: index) { position, row in
        let slot = first + position
        if found[slot].state == .stored {
          if found[slot].row != row { duplicates.append(Duplicate(slot: slot, row: row)) }
        } else {
          found[slot].state = .stored
          found[slot].row = row
        }
      }
      slots.replaceSubrange(firstPending..., with: found)
    }
    for slot in firstPending..<slots.count where slots[slot].state == .unresolved { slots[slot].state = .absent }
    pending.removeAll()
    firstPending = slots.count
    return duplicates
  }

  /// Forgets what was found, so that `resolve` looks everything up again.
  mutating func forgetRows() {
    pending.removeAll()
    for slot in slots.indices {
      slots[slot].state = .unresolved
      slots[slot].row = nil
      keys.withUnsafeBytes { keys in
        pending.append { $0.append(encoded: UnsafeRawBufferPointer(rebasing: keys[slots[slot].key])) }
      }
    }
    firstPending = 0
  }

  mutating func markCreated(_ slot: Int) { slots[slot].state = .created }

  mutating func setRow(_ row: RowNumber, of slot: Int) { slots[slot].row = row }

  // MARK: Hashing

  private mutating func slotOfEncodedKey() -> Int {
    if (slots.count + 1) * 2 > table.count { grow() }
    let key = encoder.bytes
    var place = hash(of: key[...]) & (table.count - 1)
    while table[place] != 0 {
      let slot = Int(table[place]) - 1
      if isKey(key, of: slot) { return slot }
      place = (place + 1) & (table.count - 1)
    }
    table[place] = UInt32(slots.count + 1)
    slots.append(Slot(key: keys.count..<keys.count + key.count))
    keys.append(contentsOf: key)
    key.withUnsafeBytes { key in pending.append { $0.append(encoded: key) } }
    return slots.count - 1
  }

  private func isKey(_ key: [UInt8], of slot: Int) -> Bool {
    let range = slots[slot].key
    guard range.count == key.count else { return false }
    return keys.withUnsafeBufferPointer { keys in
      key.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: keys[range]).isEqual(to: $0) }
    }
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for slot in slots.indices {
      var place = hash(of: keys[slots[slot].key]) & (table.count - 1)
      while table[place] != 0 { place = (place + 1) & (table.count - 1) }
      table[place] = UInt32(slot + 1)
    }
  }

  /// Keys come from outside, so the hash is one that nobody can make collide on purpose.
  private func hash(of key: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    key.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize() & Int.max
  }
}
