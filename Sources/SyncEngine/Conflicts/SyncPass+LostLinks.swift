import Records

/// Telling which links of dirty rows go with rows that the server does not list.
extension SyncPass {
  /// Deletes a row that the payload doesn't list, and notes what links that were set here and not pushed yet are lost by it: the row that has
  /// one stays, and leads nowhere from then on.
  func deleteMissing(_ row: RowNumber, _ localLinks: LocalLinks, sparing: ((EntityID, RowNumber) -> Bool)?) throws {
    let conflicts = try localLinks.lost(with: row, of: target.entity, in: transaction)
      .map { (link: $0, conflict: try conflict(losing: $0)) }
    // A row may be gone already, by a cascade from one before it.
    _ = try transaction.delete(row, of: target.entity, sparing: sparing)
    for (link, conflict) in conflicts where try !transaction.contains(link.target, of: link.destination) {
      report.note(conflict, in: \.conflicts)
    }
  }

  private func conflict(losing link: LocalLinks.Link) throws -> SyncReport.Conflict {
    let relationship = link.relationship
    var base: SyncValue?
    switch try transaction.pushBase(of: link.row, link.entity)?.value(of: relationship.propertyIndex, link.entity) {
    case .uint(let number): base = .row(try identityText(RowNumber(rawValue: number), of: link.destination))
    case .null: base = .null
    default: break
    }
    let local = SyncValue.row(try identityText(link.target, of: link.destination))
    var conflict = SyncReport.Conflict(
      row: nil, pointer: "", entity: link.entity.name, identity: try identityText(link.row, of: link.entity),
      kind: .linkLost,
      values: [.init(property: relationship.name, base: base, local: local, server: .null, isServerTaken: true)])
    conflict.resolution = .server
    return conflict
  }

  /// Empty for a row that has no identity, or is gone.
  private func identityText(_ row: RowNumber, of entity: Entity) throws -> String {
    guard let identity = entity.identity else { return "" }
    return try transaction.withRecord(row, of: entity) { $0.value(identity.field).reportText } ?? ""
  }
}
