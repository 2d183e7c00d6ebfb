import Records

/// The rows of an entity that have digests, and which of them a pass has come across.
struct KnownRows {
  /// What a pass knows of a row.
  private enum Sighting: UInt8 {
    case none
    /// Its text says nothing new.
    case found
    /// An object that was read speaks of it.
    case read
  }

  /// Nil if the pass has no use for digests.
  let digests: KnownDigests?
  private var sightings: [Sighting] = []
  /// How many different rows were found.
  private(set) var foundCount = 0
  /// The to-many relationships whose members their texts show.
  private(set) var foundMembers: UInt8 = 0

  /// None.
  init() { digests = nil }

  init(_ digests: KnownDigests) {
    self.digests = digests
    sightings = [Sighting](repeating: .none, count: digests.rows.count)
  }

  /// The row with a digest, nil if there is none. From then on it counts as found.
  ///
  /// - Throws: `EntangledRows` for a row that an object spoke of.
  mutating func find(_ digest: RowDigest) throws(EntangledRows) -> RowNumber? {
    guard let digests, let position = digests.position(of: digest) else { return nil }
    switch sightings[position] {
    case .read: throw EntangledRows()
    case .none: foundCount += 1
    case .found: break
    }
    sightings[position] = .found
    foundMembers |= digests.shownMembers(at: position)
    return digests.rows[position]
  }

  /// Notes that an object which was read speaks of a row.
  ///
  /// - Throws: `EntangledRows` for a row that was found.
  mutating func noteRead(_ row: RowNumber) throws(EntangledRows) {
    guard let position = digests?.rows.position(of: row) else { return }
    if sightings[position] == .found { throw EntangledRows() }
    sightings[position] = .read
  }

  /// The rows that were found, in ascending order.
  var found: [RowNumber] {
    guard let digests else { return [] }
    return sightings.indices.filter { sightings[$0] == .found }.map { digests.rows[$0] }
  }
}
