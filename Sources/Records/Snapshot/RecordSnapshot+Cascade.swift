/// The rows that go together when one of them is deleted.
struct Cascade {
  struct Target: Hashable {
    var entitySlot: Int
    var row: RowNumber
  }

  /// In the order in which they were reached, beginning with the one that is to be deleted.
  private(set) var targets: [Target]
  private var members: Set<Target>

  fileprivate init(_ first: Target) {
    targets = [first]
    members = [first]
  }

  func contains(_ row: RowNumber, entitySlot: Int) -> Bool {
    members.contains(Target(entitySlot: entitySlot, row: row))
  }

  fileprivate mutating func insert(_ target: Target) {
    if members.insert(target).inserted { targets.append(target) }
  }
}

extension RecordSnapshot {
  /// Follows the cascade rules from a row, past rows that are to be spared.
  func cascade(
    from first: Cascade.Target, sparing isSpared: ((EntityID, RowNumber) -> Bool)? = nil
  ) throws -> Cascade {
    var cascade = Cascade(first)
    var position = 0
    while position < cascade.targets.count {
      let target = cascade.targets[position]
      position += 1
      for direction in catalog.entities[target.entitySlot].directions where direction.deleteRule == .cascade {
        for row in try farRows(of: direction, from: target.row) where isSpared?(direction.destination, row) != true {
          cascade.insert(Cascade.Target(entitySlot: direction.destinationSlot, row: row))
        }
      }
    }
    return cascade
  }

  /// The rows that a direction leads to, whatever its cardinality.
  func farRows(of direction: LinkDirection, from row: RowNumber) throws -> [RowNumber] {
    guard let field = direction.field else { return try rankedMembers(of: direction, owner: row).map(\.row) }
    let target = try withRecord(row, of: catalog.entities[direction.entitySlot]) { $0.row(field) } ?? nil
    return target.map { [$0] } ?? []
  }
}
