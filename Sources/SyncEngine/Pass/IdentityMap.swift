import Records

/// The rows of one entity that a pass has to do with, by identity.
///
/// Whoever is mentioned in the payload, as a row, as a nested object or in a foreign key, has a slot here, and one only. New
/// slots are collected, and their rows found together in one walk through the identity's index.
final class IdentityMap {
  /// A row of the pass: 24 bytes, because there is one for every row of a payload.
  struct Slot {
    enum State: UInt8 {
      /// Not looked up yet.
      case unresolved
      /// The store has no such row, and the pass hasn't made one so far.
      case absent
      case stored
      /// The pass makes it. It has a row number once it is inserted.
      case created
    }

    /// 0 for none: the first row has number 1.
    private var rowNumber: UInt64 = 0
    let keyStart: Int
    /// The place among the rows that objects of the payload speak of, plus one; 0 if none does.
    var place: UInt32 = 0
    var state = State.unresolved
    /// Whether the pass changed something of a row that was there before.
    var isChanged = false
    /// Whether no identity leads to it.
    let isAnonymous: Bool

    init(keyStart: Int, isAnonymous: Bool = false) {
      self.keyStart = keyStart
      self.isAnonymous = isAnonymous
    }

    /// The row, if it is in the store by now.
    var row: RowNumber? {
      get { rowNumber > 0 ? RowNumber(rawValue: rowNumber) : nil }
      set { rowNumber = newValue?.rawValue ?? 0 }
    }
  }

  private let table = Pinned(IdentityTable())
  private let type: AttributeType
  /// Nil for an entity without identity, all of whose slots are anonymous.
  private let index: Index?
  private var firstPending = 0
  /// The slots of rows that are known by their numbers alone.
  private var anonymousSlots: [RowNumber: Int] = [:]
  private var anonymousCount = 0
  /// Rows that have an identity which means another row.
  private(set) var namesakes: Set<RowNumber> = []
  /// Whether the entity had no rows before the pass. Then there is nothing to look up: what it has now the pass has made, and
  /// has slots for.
  private let wasEmpty: Bool

  init(_ identity: IdentityPlan?, wasEmpty: Bool) {
    type = identity?.attribute.type ?? .string
    index = identity?.index
    self.wasEmpty = wasEmpty
  }

  var slotCount: Int { table.value.slots.count }

  subscript(slot: Int) -> Slot {
    @inline(__always) _read { yield table.value[slot] }
    @inline(__always) _modify { yield &table.value[slot] }
  }

  /// The slot of an identity.
  func slot(for identity: CoercedValue) -> Int? {
    table.value.slot { key in
      identity.append(to: &key, as: type)
      return true
    }
  }

  /// The slot of an identity that was stored once; nil if it is null.
  func slot(of identity: FieldValue) -> Int? {
    table.value.slot { key in identity != .null && key.append(identity, as: type) }
  }

  /// The slot of the identity of a stored row that the pass came across in another way than by its identity.
  ///
  /// - Returns: Nil if the identity is null.
  func slot(forStored row: RowNumber, identity: FieldValue) -> Int? {
    guard let slot = slot(of: identity) else { return nil }
    if self[slot].state == .unresolved || self[slot].state == .absent {
      self[slot].state = .stored
      self[slot].row = row
    }
    return slot
  }

  /// The slot of a stored row that is known by its number alone.
  func slot(forAnonymous row: RowNumber) -> Int {
    if let slot = anonymousSlots[row] { return slot }
    let slot = makeAnonymousSlot()
    self[slot].state = .stored
    self[slot].row = row
    anonymousSlots[row] = slot
    return slot
  }

  /// A slot for a row that isn't there yet, and has no identity.
  func makeAnonymousSlot() -> Int {
    let slot = table.value.appendAnonymousSlot()
    anonymousCount += 1
    self[slot].state = .absent
    return slot
  }

  /// What a row is to an identity that it has.
  enum Standing {
    /// One of those that the identity means.
    case meant
    /// What the identity means if there is no other.
    case substitute
    case other
  }

  /// Looks the new slots up in the store.
  ///
  /// - Parameters:
  ///   - transaction: The store.
  ///   - standing: What a row is to the identity that it has; nil if all are meant.
  /// - Returns: The rows that have the identity of a row that was found before them. Of several rows with one identity the
  ///   one with the lowest number stands for all.
  /// - Throws: What reading the store and the closure throw.
  func resolve(
    in transaction: RecordTransaction, standing: ((RowNumber) throws -> Standing)? = nil
  ) throws -> [RowNumber] {
    let pending = firstPending..<table.value.slots.count
    guard !pending.isEmpty else { return [] }
    var duplicates: [RowNumber] = []
    if !wasEmpty, let index {
      // Anonymous slots have no key to look for.
      if anonymousCount == 0 {
        duplicates = try find(pending, by: index, in: transaction, standing)
      } else {
        duplicates = try find(pending.filter { !self[$0].isAnonymous }, by: index, in: transaction, standing)
      }
    }
    for slot in pending where self[slot].state == .unresolved { self[slot].state = .absent }
    firstPending = pending.upperBound
    return duplicates
  }

  private func find(
    _ slots: some RandomAccessCollection<Int>, by index: Index, in transaction: RecordTransaction,
    _ standing: ((RowNumber) throws -> Standing)?
  ) throws -> [RowNumber] {
    var duplicates: [RowNumber] = []
    var substitutes: [(slot: Int, row: RowNumber)] = []
    try transaction.lookUp(keys(of: slots), in: index) { position, row in
      let slot = slots[slots.index(slots.startIndex, offsetBy: position)]
      if let standing {
        switch try standing(row) {
        case .meant: break
        case .substitute:
          substitutes.append((slot, row))
          return
        case .other: return
        }
      }
      if self[slot].state == .stored {
        if self[slot].row != row { duplicates.append(row) }
      } else if self[slot].state == .unresolved {
        self[slot].state = .stored
        self[slot].row = row
      }
    }
    for (slot, row) in substitutes {
      guard self[slot].state == .unresolved else {
        namesakes.insert(row)
        continue
      }
      self[slot].state = .stored
      self[slot].row = row
    }
    return duplicates
  }

  private func keys(of slots: some Collection<Int>) -> IndexKeys {
    var keys = IndexKeys()
    for slot in slots {
      table.value.withKey(of: slot) { key in keys.append { $0.append(encoded: UnsafeRawBufferPointer(key)) } }
    }
    return keys
  }

  /// Forgets what was found, so that `resolve` looks everything up again.
  func forgetRows() {
    for slot in table.value.slots.indices where !self[slot].isAnonymous {
      self[slot].state = .unresolved
      self[slot].row = nil
    }
    firstPending = 0
  }
}
