/// What a transaction will add to and remove from the table of one to-many direction, until it is applied in the order of
/// the keys.
struct LinkWriteBuffer {
  /// An entry to be added or removed.
  struct Change {
    var key: LinkKey
    var rank: UInt64
    /// Keeps the changes of one key in the order in which they were made.
    var number: UInt32
    var isAddition: Bool
  }

  private var changes: [Change] = []
  /// Which owners may have changes: one bit for each remainder of the row number. Rows are numbered densely, so up to a
  /// million of them it is exact, and beyond that a wrong bit only costs an early application of the buffer.
  private var owners: [UInt64] = []
  private static let ownerBits: UInt64 = 1 << 20

  /// The highest owner whose changes were applied before.
  private var appliedOwnerMax = RowNumber(rawValue: 0)

  /// Beyond this many changes (32 MiB of them) the order that waiting for more would gain is not worth the memory.
  private static let countMax = 1 << 20

  var isEmpty: Bool { changes.isEmpty }
  var isFull: Bool { changes.count >= LinkWriteBuffer.countMax }

  mutating func add(_ member: RowNumber, to owner: RowNumber, rank: UInt64) {
    append(LinkKey(owner: owner, member: member), rank: rank, isAddition: true)
  }

  mutating func remove(_ member: RowNumber, from owner: RowNumber) {
    append(LinkKey(owner: owner, member: member), rank: 0, isAddition: false)
  }

  /// False only if no change concerns the owner.
  func mayConcern(_ owner: RowNumber) -> Bool {
    let bit = owner.rawValue % LinkWriteBuffer.ownerBits
    let word = Int(bit / 64)
    return word < owners.count && owners[word] & (1 << (bit % 64)) != 0
  }

  /// True only if there was no change for the owner since the transaction began.
  func hasNothing(for owner: RowNumber) -> Bool {
    owner > appliedOwnerMax && !mayConcern(owner)
  }

  private mutating func append(_ key: LinkKey, rank: UInt64, isAddition: Bool) {
    changes.append(
      Change(key: key, rank: rank, number: UInt32(truncatingIfNeeded: changes.count), isAddition: isAddition))
    let bit = key.owner.rawValue % LinkWriteBuffer.ownerBits
    let word = Int(bit / 64)
    if word >= owners.count { owners += [UInt64](repeating: 0, count: word + 1 - owners.count) }
    owners[word] |= 1 << (bit % 64)
  }

  /// Hands out the last change of each key, in ascending order of the keys, and empties the buffer.
  mutating func drain(_ body: (Change) throws -> Void) throws {
    changes.sort { left, right in
      if left.key.owner != right.key.owner { return left.key.owner < right.key.owner }
      if left.key.member != right.key.member { return left.key.member < right.key.member }
      return left.number < right.number
    }
    for (position, change) in changes.enumerated() {
      let next = position + 1
      if next < changes.count, changes[next].key == change.key { continue }
      try body(change)
    }
    if let last = changes.last { appliedOwnerMax = max(appliedOwnerMax, last.key.owner) }
    changes.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
  }
}
