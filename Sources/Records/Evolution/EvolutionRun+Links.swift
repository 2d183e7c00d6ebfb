import KeyValueStore

extension EvolutionRun {
  /// A link as the old catalog has it, seen from the owner of the direction that is built.
  private struct Link {
    var owner: RowNumber
    var member: RowNumber
    /// Nil where the old direction is a field, which has none.
    var rank: UInt64?
  }

  /// Stores the links of each direction that has another form than before.
  func buildLinks(of records: RecordTransaction, from old: RecordSnapshot) throws {
    // All are read before any is written: the old catalog cannot read what the new one writes.
    let builds = try evolution.work.linkBuilds.compactMap { build in
      try newCatalog.directions.first { $0.id == build.direction }.map { direction in
        (direction, try links(for: direction, of: build, in: old))
      }
    }
    var differences: [SchemaDifference] = []
    for (direction, links) in builds {
      if direction.isToMany {
        try addEntries(links, to: direction, of: records)
      } else if let owner = firstOwnerOfSeveral(links) {
        let entity = newCatalog.entities[direction.entitySlot]
        differences.append(
          .severalMembers(entity: entity.name, relationship: propertyName(of: direction), row: owner))
      } else {
        for link in links { try records.setField(of: direction, row: link.owner, to: link.member) }
      }
    }
    if !differences.isEmpty { throw RecordError.schemaMismatch(differences) }
  }

  private func links(
    for direction: LinkDirection, of build: EvolutionWork.LinkBuild, in old: RecordSnapshot
  ) throws -> [Link] {
    guard let source = evolution.oldCatalog.directions.first(where: { $0.id == build.source }) else { return [] }
    let links = try links(of: source, in: old, relationship: direction.name)
    guard build.isReversed else { return links }
    return links.map { Link(owner: $0.member, member: $0.owner, rank: $0.rank) }
  }

  private func links(of source: LinkDirection, in old: RecordSnapshot, relationship: String) throws -> [Link] {
    var links: [Link] = []
    let entity = evolution.oldCatalog.entities[source.entitySlot]
    try forEachRow(of: entity, in: old, step: .linking(relationship: relationship)) { row, record in
      if let field = source.field {
        if let target = record.row(field) { links.append(Link(owner: row, member: target)) }
        return .continue
      }
      for member in try old.rankedMembers(of: source, owner: row) {
        links.append(Link(owner: row, member: member.row, rank: member.rank))
      }
      return .continue
    }
    return links
  }

  /// Adds entries of a table. Links that had no rank get one, in the order of the rows that had them.
  private func addEntries(_ links: [Link], to direction: LinkDirection, of records: RecordTransaction) throws {
    for link in links {
      let rank = try link.rank ?? records.takeRank()
      records.linkBuffers[direction.slot].add(link.member, to: link.owner, rank: rank)
      if records.linkBuffers[direction.slot].isFull { try records.settle(direction, for: nil) }
    }
  }

  /// The name of the relationship that a direction is; empty for an implicit inverse, which messages do not name.
  func propertyName(of direction: LinkDirection) -> String {
    let entity = newCatalog.entities[direction.entitySlot]
    return direction.propertyIndex.map { entity.relationships[$0 - entity.attributes.count].name } ?? ""
  }

  private func firstOwnerOfSeveral(_ links: [Link]) -> RowNumber? {
    var seen: Set<RowNumber> = []
    return links.lazy.map(\.owner).filter { !seen.insert($0).inserted }.first
  }
}
