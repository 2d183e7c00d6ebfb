/// What a pass puts off until all rows are there, in the order of the payload.
struct DeferredLinks {
  /// A to-one link to a row that was not inserted yet when its owner was written.
  struct Link {
    let owner: EntityPass
    let slot: UInt32
    /// The position of the relationship in the plan.
    let relationship: UInt32
    let target: UInt32
    /// The position of the payload row that says it.
    let row: UInt32
  }

  /// The members of a to-many relationship.
  struct Members {
    let slot: UInt32
    let relationship: UInt32
    let row: UInt32
    let kind: PayloadLink.Kind
    let deletesOrphans: Bool
    /// A range of `targets`.
    let targets: Range<UInt32>
  }

  var links: [Link] = []
  /// Of rows of the pass's target.
  private(set) var members: [Members] = []
  private(set) var targets: [UInt32] = []
  /// The relationships, by position, of which a list was put off. All lists behind it are put off too, so that
  /// all are set in the order of the payload.
  private var relationships: Set<Int> = []
  /// New rows without something that they have to be linked to.
  var vacancies: [(slot: UInt32, row: UInt32)] = []

  func defersMembers(of relationship: Int) -> Bool { relationships.contains(relationship) }

  mutating func append(_ link: PayloadLink, targets slots: ArraySlice<Int>, of item: PayloadItem) {
    relationships.insert(link.relationship)
    let start = UInt32(truncatingIfNeeded: targets.count)
    for slot in slots { targets.append(UInt32(truncatingIfNeeded: slot)) }
    members.append(
      Members(
        slot: UInt32(truncatingIfNeeded: item.slot), relationship: UInt32(truncatingIfNeeded: link.relationship),
        row: UInt32(truncatingIfNeeded: item.row), kind: link.kind, deletesOrphans: link.deletesOrphans,
        targets: start..<UInt32(truncatingIfNeeded: targets.count)))
  }
}
