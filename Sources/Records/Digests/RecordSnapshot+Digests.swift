import KeyValueStore

extension RecordSnapshot {
  /// How many rows of an entity have a digest. Takes the same time however many there are.
  package func digestCount(of entity: Entity) throws -> Int {
    guard let table = tables.digests[entity.slot] else { return 0 }
    return try snapshot.count(in: table)
  }

  /// Visits the digests of an entity's rows, as the last commit left them, in ascending order of the rows.
  ///
  /// A digest that is damaged is passed over: it only spares work, and a row without one is read like any other.
  package func forEachDigest(of entity: Entity, _ body: (RowNumber, RowDigest) throws -> Void) throws {
    guard let table = tables.digests[entity.slot] else { return }
    try snapshot.scan(table) { key, value in
      if let row = UInt64(key).map(RowNumber.init(rawValue:)),
        let value = DigestValue(value, row: row, of: entity.id)
      {
        try body(row, value.digest)
      }
      return .continue
    }
  }
}
