import FoundationEssentials

/// What one committed transaction did, by entity and row.
///
/// Reactive reads, notifications and history are made from it. It names rows, not values: whoever needs values reads them
/// from a snapshot.
package struct ChangeSet: Sendable {
  /// The changes of one entity's rows.
  package struct EntityChanges: Sendable, Equatable {
    /// Rows that the transaction created and did not delete again, in ascending order.
    package var inserted: [RowNumber] = []
    /// Rows that existed before and after, with the properties that differ.
    package var updated: [RowNumber: PropertySet] = [:]
    /// Rows that existed before, in ascending order.
    package var deleted: [RowNumber] = []
    /// What is preserved of the deleted rows, in their order.
    package var tombstones = Tombstones()

    package init() {}

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  /// Who wrote: nil for the application's own edits.
  package var author: String?
  /// Its place in the history; nil when none is kept, and before the transaction ends.
  package var token: HistoryToken?
  /// When it was made; nil like the token.
  package var timestamp: Date?
  /// Snapshots with this number (`RecordSnapshot.number`) or a higher one show it. Those with a lower one do not, in the process that
  /// has made it; elsewhere they may. Nil before the transaction ends, and for what is read from the history.
  package var stateNumber: Int?
  package var entities: [EntityID: EntityChanges] = [:]

  package init(author: String? = nil) {
    self.author = author
  }

  package var isEmpty: Bool { entities.values.allSatisfy(\.isEmpty) }
}

/// A set of an entity's properties: attribute `i` is member `i`, relationship `j` is member `attributes.count + j`.
///
/// An entity has at most `Entity.propertiesMax` properties, so the set is four words and never allocates.
package struct PropertySet: Sendable, Hashable {
  private var words: SIMD4<UInt64> = .zero

  package init() {}

  /// Every property that an entity can have.
  package static let everything = PropertySet(0..<Entity.propertiesMax)

  package init(_ members: some Sequence<Int>) {
    for member in members { insert(member) }
  }

  package mutating func insert(_ member: Int) {
    words[member >> 6] |= 1 << UInt64(member & 63)
  }

  package func contains(_ member: Int) -> Bool {
    words[member >> 6] & (1 << UInt64(member & 63)) != 0
  }

  package mutating func formUnion(_ other: PropertySet) {
    words |= other.words
  }

  package func intersection(_ other: PropertySet) -> PropertySet {
    var result = self
    result.words &= other.words
    return result
  }

  package mutating func subtract(_ other: PropertySet) {
    words &= ~other.words
  }

  package func isDisjoint(with other: PropertySet) -> Bool {
    words & other.words == .zero
  }

  package var isEmpty: Bool { words == .zero }

  /// The members in ascending order.
  package var members: [Int] {
    var result: [Int] = []
    for word in 0..<4 {
      var rest = words[word]
      while rest != 0 {
        result.append(word << 6 | rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return result
  }
}

/// The number of an entity in its store, assigned when the schema is registered and never reused.
package struct EntityID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: UInt32

  @inlinable
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  @inlinable
  package static func < (left: EntityID, right: EntityID) -> Bool {
    left.rawValue < right.rawValue
  }
}
