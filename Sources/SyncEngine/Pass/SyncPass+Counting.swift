import Records

extension SyncPass {
  /// Counts what happened to the rows of every entity, and names the first ones.
  func count() throws {
    for pass in entities {
      var counts = SyncReport.Counts()
      var identities = SyncReport.Identities()
      var hits = pass === target ? UnnamedHits(digests) : UnnamedHits()
      try pass.forEachRow { slot, items in
        switch pass.slot(slot)?.state {
        case .created:
          counts.inserted += 1
          try name(slot, of: pass, in: &identities.inserted)
        case .stored where pass.changedSlots.contains(slot):
          counts.updated += 1
          try name(slot, of: pass, in: &identities.updated)
        case .stored:
          counts.unchanged += 1
          let position = items.first { !$0.isNested }?.row
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
      counts.deleted = pass.rowCountBefore + counts.inserted - (try transaction.count(of: pass.entity))
      identities.deleted = Array((pass.deletedIdentities + cascaded(of: pass.entity)).prefix(SyncReport.detailsMax))
      counts.linked = pass.linkChanges.linked
      counts.unlinked = pass.linkChanges.unlinked
      for slot in pass.linkChanges.linkedSlots.sorted() { try name(slot, of: pass, in: &identities.linked) }
      for slot in pass.linkChanges.unlinkedSlots.sorted() { try name(slot, of: pass, in: &identities.unlinked) }
      guard pass === target || counts != SyncReport.Counts() else { continue }
      report.entities[pass.entity.name] = counts
      report.identities[pass.entity.name] = identities
    }
    for (entity, count) in rowCountsBefore where !entities.contains(where: { $0.entity === entity }) {
      let deleted = count - (try transaction.count(of: entity))
      guard deleted > 0 else { continue }
      report.entities[entity.name, default: .init()].deleted = deleted
      report.identities[entity.name, default: .init()].deleted = cascaded(of: entity)
    }
  }

  /// The identities of the first rows of an entity that went along with rows which the pass deleted.
  private func cascaded(of entity: Entity) -> [String] {
    transaction.cascadedIdentities[entity.id, default: []].dropFirst(cascadesBefore[entity.id] ?? 0).map(\.reportText)
  }

  private func name(_ slot: Int, of pass: EntityPass, in list: inout [String]) throws {
    if let row = pass.slot(slot)?.row { try name(row, of: pass, in: &list) }
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

/// The links that a pass has made and removed from the rows of one entity.
struct LinkChanges {
  private(set) var linked = 0
  private(set) var unlinked = 0
  /// The first rows that links were made from, by slot.
  private(set) var linkedSlots: Set<Int> = []
  /// The first rows that links were removed from, by slot.
  private(set) var unlinkedSlots: Set<Int> = []

  mutating func note(_ slot: Int, linked: Int, unlinked: Int) {
    self.linked += linked
    self.unlinked += unlinked
    if linked > 0, linkedSlots.count < SyncReport.detailsMax { linkedSlots.insert(slot) }
    if unlinked > 0, unlinkedSlots.count < SyncReport.detailsMax { unlinkedSlots.insert(slot) }
  }

  /// Notes what a to-one link led to before and leads to now.
  mutating func note(_ slot: Int, from old: RowNumber?, to new: RowNumber?) {
    guard old != new else { return }
    note(slot, linked: new == nil ? 0 : 1, unlinked: old == nil ? 0 : 1)
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
