import Records

/// The digests that rows of an entity have, to find the rows by them.
final class KnownDigests: Sendable {
  /// In ascending order.
  let rows: [RowNumber]
  private let digests: [RowDigest]
  /// Positions by the lower half of their digest, plus one; 0 is free. Twice as large as it has to be, so that most searches end
  /// at the first place.
  private let table: [UInt32]

  /// Those of all rows.
  init(of entity: Entity, in snapshot: RecordSnapshot) throws {
    let count = try snapshot.digestCount(of: entity)
    var (rows, digests): ([RowNumber], [RowDigest]) = ([], [])
    rows.reserveCapacity(count)
    digests.reserveCapacity(count)
    try snapshot.forEachDigest(of: entity) { row, digest in
      rows.append(row)
      digests.append(digest)
    }
    var size = 64
    while size < rows.count * 2 { size *= 2 }
    var table = [UInt32](repeating: 0, count: size)
    for (position, digest) in digests.enumerated() {
      var place = Int(truncatingIfNeeded: digest.low) & (size - 1)
      while table[place] != 0 { place = (place + 1) & (size - 1) }
      table[place] = UInt32(position + 1)
    }
    (self.rows, self.digests, self.table) = (rows, digests, table)
  }

  /// The position of the row with a digest, nil if there is none.
  func position(of digest: RowDigest) -> Int? {
    var place = Int(truncatingIfNeeded: digest.low) & (table.count - 1)
    while table[place] != 0 {
      let position = Int(table[place]) - 1
      if digests[position].low == digest.low, digests[position].high == digest.high { return position }
      place = (place + 1) & (table.count - 1)
    }
    return nil
  }

  /// The to-many relationships whose members the text of a row shows.
  func shownMembers(at position: Int) -> UInt8 { digests[position].shownMembers }
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
