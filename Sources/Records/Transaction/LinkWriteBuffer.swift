/// What a transaction will add to and remove from the table of one to-many direction, until it is applied in the order of
/// the keys.
struct LinkWriteBuffer {
  /// An entry to be added or removed.
  struct Change {
    var key: LinkKey
    /// 0, which is no rank, for an entry to be removed.
    var rank: UInt64

    var isAddition: Bool { rank > 0 }
  }

  private var changes: [Change] = []
  /// Whether the changes so far came in ascending order of their members; of most directions they do, because one row after
  /// another is written.
  private var isSortedByMember = true
  /// Which owners may have changes: one bit for each remainder of the row number. Rows are numbered densely, so up to a
  /// million of them it is exact, and beyond that a wrong bit only costs an early application of the buffer.
  private var owners: [UInt64] = []
  private static let ownerBits: UInt64 = 1 << 20

  /// The highest owner whose changes were applied before.
  private var appliedOwnerMax = RowNumber(rawValue: 0)

  /// Beyond this many changes (24 MiB of them) the order that waiting for more would gain is not worth the memory.
  private static let countMax = 1 << 20

  var isEmpty: Bool { changes.isEmpty }
  var isFull: Bool { changes.count >= LinkWriteBuffer.countMax }

  mutating func add(_ member: RowNumber, to owner: RowNumber, rank: UInt64) {
    append(Change(key: LinkKey(owner: owner, member: member), rank: rank))
  }

  mutating func remove(_ member: RowNumber, from owner: RowNumber) {
    append(Change(key: LinkKey(owner: owner, member: member), rank: 0))
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

  private mutating func append(_ change: Change) {
    if let last = changes.last, last.key.member > change.key.member { isSortedByMember = false }
    changes.append(change)
    let bit = change.key.owner.rawValue % LinkWriteBuffer.ownerBits
    let word = Int(bit / 64)
    if word >= owners.count { owners += [UInt64](repeating: 0, count: word + 1 - owners.count) }
    owners[word] |= 1 << (bit % 64)
  }

  /// Hands out the last change of each key, in ascending order of the keys, and empties the buffer.
  mutating func drain(_ body: (Change) throws -> Void) throws {
    // Both sorts keep the order of equals, so the changes of one key stay in the order in which they were made.
    if !isSortedByMember { changes.sort(byNumber: { $0.key.member.rawValue }) }
    changes.sort(byNumber: { $0.key.owner.rawValue })
    for (position, change) in changes.enumerated() {
      let next = position + 1
      if next < changes.count, changes[next].key == change.key { continue }
      try body(change)
    }
    if let last = changes.last { appliedOwnerMax = max(appliedOwnerMax, last.key.owner) }
    changes.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
    isSortedByMember = true
  }
}
