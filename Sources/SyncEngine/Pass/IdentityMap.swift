import Records

/// The rows of one entity that a pass has to do with, by identity.
///
/// Whoever is mentioned in the payload, as a row, as a nested object or in a foreign key, has a slot here, and one only. New
/// slots are collected, and their rows found together in one walk through the identity's index.
final class IdentityMap {
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
  private let seed = UInt64.random(in: 0...UInt64.max)

  init(_ identity: IdentityPlan) {
    attribute = identity.attribute
    index = identity.index
  }

  /// The slot of an identity.
  func slot(for identity: CoercedValue) -> Int {
    encoder.removeAll()
    identity.append(to: &encoder, as: attribute.type)
    return slotOfEncodedKey()
  }

  /// The slot of the identity of a stored row that the pass came across in another way than by its identity.
  ///
  /// - Returns: Nil if the identity is null.
  func slot(forStored row: RowNumber, identity: FieldValue) -> Int? {
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
  /// - Parameters:
  ///   - transaction: The store.
  ///   - entity: The map's entity.
  ///   - mayBeOutside: Whether a row that isn't in the scope stands for an identity that no row of the scope has.
  ///   - isInScope: Whether a row is one of those that identities mean; nil if all are.
  /// - Returns: The rows that have the identity of a row that was found before them. Of several rows with one identity the
  ///   one with the lowest number stands for all.
  /// - Throws: What reading the store and the closure throw.
  func resolve(
    in transaction: RecordTransaction, entity: Entity, mayBeOutside: Bool = false,
    isInScope: ((RowNumber) throws -> Bool)? = nil
  ) throws -> [RowNumber] {
    guard firstPending < slots.count else { return [] }
    var duplicates: [RowNumber] = []
    var outside: [Int: RowNumber] = [:]
    if try transaction.count(of: entity) > 0 {
      var found = slots[firstPending...]
      let first = firstPending
      try transaction.lookUp(pending, in: index) { position, row in
        let slot = first + position
        if let isInScope, try !isInScope(row) {
          if mayBeOutside, outside[slot] == nil { outside[slot] = row }
          return
        }
        if found[slot].state == .stored {
          if found[slot].row != row { duplicates.append(row) }
        } else {
          found[slot].state = .stored
          found[slot].row = row
        }
      }
      for (slot, row) in outside where found[slot].state == .unresolved {
        found[slot].state = .stored
        found[slot].row = row
      }
      slots.replaceSubrange(firstPending..., with: found)
    }
    for slot in firstPending..<slots.count where slots[slot].state == .unresolved { slots[slot].state = .absent }
    pending.removeAll()
    firstPending = slots.count
    return duplicates
  }

  /// Forgets what was found, so that `resolve` looks everything up again.
  func forgetRows() {
    pending.removeAll()
    for slot in slots.indices {
      slots[slot].state = .unresolved
      slots[slot].row = nil
      keyBytes(of: slot) { key in pending.append { $0.append(encoded: UnsafeRawBufferPointer(key)) } }
    }
    firstPending = 0
  }

  func markCreated(_ slot: Int) { slots[slot].state = .created }

  func setRow(_ row: RowNumber, of slot: Int) { slots[slot].row = row }

  // MARK: Hashing

  private func slotOfEncodedKey() -> Int {
    if (slots.count + 1) * 2 > table.count { grow() }
    return encoder.bytes.withUnsafeBufferPointer { key in
      var place = hash(of: key)
      while table[place] != 0 {
        let slot = Int(table[place]) - 1
        if keyBytes(of: slot, { $0.isEqual(to: key) }) { return slot }
        place = (place + 1) & (table.count - 1)
      }
      table[place] = UInt32(slots.count + 1)
      slots.append(Slot(key: keys.count..<keys.count + key.count))
      keys.append(contentsOf: key)
      pending.append { $0.append(encoded: UnsafeRawBufferPointer(key)) }
      return slots.count - 1
    }
  }

  @inline(__always)
  private func keyBytes<Result>(of slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    keys.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[slots[slot].key])) }
  }

  private func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for slot in slots.indices {
      var place = keyBytes(of: slot) { hash(of: $0) }
      while table[place] != 0 { place = (place + 1) & (table.count - 1) }
      table[place] = UInt32(slot + 1)
    }
  }

  private func hash(of key: UnsafeBufferPointer<UInt8>) -> Int {
    Int(truncatingIfNeeded: KeyHash.hash(UnsafeRawBufferPointer(key), seed: seed)) & (table.count - 1)
  }
}
