import Records

extension SyncPass {
  /// Counts what happened to the rows of every entity, and names the first ones.
  func count() throws {
    if !rows.isCollection { report.itemRow = target.listed.first.flatMap { target.slot(Int($0.slot)).row } }
    for pass in entities {
      var counts = SyncReport.Counts()
      var identities = SyncReport.Identities()
      var hits = pass === target ? UnnamedHits(digests) : UnnamedHits()
      for listed in listedRows(of: pass) {
        let slot = Int(listed.slot)
        let row = pass.slot(slot)
        switch row.state {
        case .created:
          counts.inserted += 1
          try name(slot, of: pass, in: &identities.inserted)
        case .stored where row.isChanged:
          counts.updated += 1
          try name(slot, of: pass, in: &identities.updated)
        case .stored:
          counts.unchanged += 1
          let position = listed.position < .max ? Int(listed.position) : nil
          while let row = hits.next(before: position) { try name(row, of: pass, in: &identities.unchanged) }
          try name(slot, of: pass, in: &identities.unchanged)
        default: break
        }
      }
      while let row = hits.next(before: nil) { try name(row, of: pass, in: &identities.unchanged) }
      if pass === target {
        counts.unchanged += digests.known.foundCount
        report.recognizedRows = digests.known.foundCount
      }
      // Cascades delete rows that no list here has.
      counts.deleted = pass.rowCountBefore + counts.inserted - (try transaction.rowCount(of: pass.plan))
      identities.deleted = pass.deletedIdentities
      if entities.first(where: { $0.entity === pass.entity }) === pass {
        identities.deleted = Array((identities.deleted + cascaded(of: pass.entity)).prefix(SyncReport.detailsMax))
      }
      counts.linked = pass.linkChanges.linked.count
      counts.unlinked = pass.linkChanges.unlinked.count
      for slot in pass.linkChanges.linked.slots { try name(slot, of: pass, in: &identities.linked) }
      for slot in pass.linkChanges.unlinked.slots { try name(slot, of: pass, in: &identities.unlinked) }
      guard pass === target || counts != SyncReport.Counts() else { continue }
      report.entities[pass.name] = counts
      report.identities[pass.name] = identities
    }
    for (entity, count) in rowCountsBefore {
      let passes = entities.filter { $0.entity === entity }
      // Of a table that entities share, those that were not come across count as its own.
      let known = passes.compactMap { report.entities[$0.name] }
      let deleted =
        count + known.reduce(0) { $0 + $1.inserted - $1.deleted } - (try transaction.count(of: entity))
      guard deleted > 0 else { continue }
      report.entities[entity.name, default: .init()].deleted += deleted
      if passes.isEmpty { report.identities[entity.name, default: .init()].deleted = cascaded(of: entity) }
    }
  }

  /// The identities of the first rows of an entity that went along with rows which the pass deleted.
  private func cascaded(of entity: Entity) -> [String] {
    transaction.cascadedIdentities[entity.id, default: []].dropFirst(cascadesBefore[entity.id] ?? 0).map(\.reportText)
  }

  /// The rows that objects speak of, in the order in which the report names them.
  private func listedRows(of pass: EntityPass) -> [EntityPass.ListedRow] {
    isOrderedByPlace(pass) ? pass.listed : pass.listed.sorted { $0.slot < $1.slot }
  }

  /// Rows that come in windows have slots in the order in which they are first mentioned, and not of their objects.
  private func isOrderedByPlace(_ pass: EntityPass) -> Bool { rows.isDivided && pass === target }

  /// Notes how many links were made from a row, and how many removed.
  func noteLinks(of slot: Int, in pass: EntityPass, linked: Int, unlinked: Int) {
    let order = isOrderedByPlace(pass) ? Int(pass.slot(slot).place) : slot
    if linked > 0 { pass.linkChanges.linked.note(slot, order: order, count: linked) }
    if unlinked > 0 { pass.linkChanges.unlinked.note(slot, order: order, count: unlinked) }
  }

  /// Notes what a to-one link led to before and leads to now.
  func noteLink(of slot: Int, in pass: EntityPass, from old: RowNumber?, to new: RowNumber?) {
    if old != new { noteLinks(of: slot, in: pass, linked: new == nil ? 0 : 1, unlinked: old == nil ? 0 : 1) }
  }

  private func name(_ slot: Int, of pass: EntityPass, in list: inout [String]) throws {
    if let row = pass.slot(slot).row { try name(row, of: pass, in: &list) }
  }

  private func name(_ row: RowNumber, of pass: EntityPass, in list: inout [String]) throws {
    guard list.count < SyncReport.detailsMax, let identity = try identityText(ofRow: row, in: pass) else { return }
    list.append(identity)
  }

  /// The identity of a stored row as text, nil if the row is gone.
  func identityText(ofRow row: RowNumber, in pass: EntityPass) throws -> String? {
    guard let identity = pass.plan.identity else { return nil }
    return try transaction.withRecord(row, of: pass.entity) { $0.value(identity.attribute.field).reportText }
  }
}

/// The rows that were told by their texts, handed out once each for a list of the first unchanged rows.
private struct UnnamedHits {
  private var hits: ArraySlice<PassDigests.Hit> = []
  private var named: Set<RowNumber> = []

  init() {}

  init(_ digests: PassDigests) {
    hits = digests.hits[...]
  }

  /// The next row that stands before a position of the payload, or anywhere if that is nil.
  mutating func next(before position: Int?) -> RowNumber? {
    while named.count < SyncReport.detailsMax, let hit = hits.first, hit.position < position ?? .max {
      hits.removeFirst()
      if named.insert(hit.row).inserted { return hit.row }
    }
    return nil
  }
}
