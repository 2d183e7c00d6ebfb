import Records

/// The rows of an entity that have digests, found by their digests.
struct KnownRows {
  private var rows: [RowNumber] = []
  private var digests: [RowDigest] = []
  /// Positions by the lower half of their digest, plus one; 0 is free. Twice as large as it has to be, so that most searches end
  /// at the first place.
  private var table: [UInt32] = []
  private var isFound: [Bool] = []
  /// How many different rows were found.
  private(set) var foundCount = 0
  /// The to-many relationships whose members their texts show.
  private(set) var foundMembers: UInt8 = 0

  /// None.
  init() {}

  /// All rows of an entity that have one.
  init(of entity: Entity, in snapshot: RecordSnapshot) throws {
    let count = try snapshot.digestCount(of: entity)
    rows.reserveCapacity(count)
    digests.reserveCapacity(count)
    try snapshot.forEachDigest(of: entity) { row, digest in
      rows.append(row)
      digests.append(digest)
    }
    isFound = [Bool](repeating: false, count: rows.count)
    var size = 64
    while size < rows.count * 2 { size *= 2 }
    table = [UInt32](repeating: 0, count: size)
    for (position, digest) in digests.enumerated() {
      var place = Int(truncatingIfNeeded: digest.low) & (size - 1)
      while table[place] != 0 { place = (place + 1) & (size - 1) }
      table[place] = UInt32(position + 1)
    }
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The row with a digest, nil if there is none. From then on it counts as found.
  mutating func find(_ digest: RowDigest) -> RowNumber? {
    var place = Int(truncatingIfNeeded: digest.low) & (table.count - 1)
    while table[place] != 0 {
      let position = Int(table[place]) - 1
      if digests[position].low == digest.low, digests[position].high == digest.high {
        if !isFound[position] { foundCount += 1 }
        foundMembers |= digests[position].shownMembers
        isFound[position] = true
        return rows[position]
      }
      place = (place + 1) & (table.count - 1)
    }
    return nil
  }

  /// Whether a row was found.
  func contains(_ row: RowNumber) -> Bool {
    if foundCount == 0 { return false }
    return rows.position(of: row).map { isFound[$0] } ?? false
  }

  /// The rows that were found, in ascending order.
  var found: [RowNumber] { rows.indices.filter { isFound[$0] }.map { rows[$0] } }
}

extension [RowNumber] {
  /// The position of a row in an ascending list, nil if it is not in it.
  func position(of row: RowNumber) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == row ? low : nil
  }
}
