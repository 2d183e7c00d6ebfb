import Records

/// When nested objects may be taken window by window.
///
/// Rows that come in windows must come to the same as all rows at once. Of nested objects that is known where those of one window and
/// those of another have nothing to do with each other, or say the same: then neither the order in which they are written nor who comes
/// last matters. Everything else throws `EntangledRows`, upon which the sync begins anew with all rows in one batch.
///
/// - Nested objects are of other entities than the target, of tables that no other entity shares, and have identities. None of their rows
///   was changed here and not pushed.
/// - Their entity is reached from one other entity only, so that its rows are numbered in the same order.
/// - An object whose row an earlier window has spoken of changes nothing, and there is nothing to be said about it.
/// - What nested objects are linked to is there, or made in the same window; and the payload does not show the other end as well.
/// - New rows of nested objects are complete at the end of their window.
extension SyncPass {
  /// Judges a nested object by where it leads to.
  func checkWindow(nesting slot: Int, in destination: EntityPass) throws {
    guard rows.isDivided else { return }
    let isApart =
      destination !== target && destination.dirty == nil && destination.plan.members == nil
      && target.plan.members == nil
    // A row that an earlier window has mentioned, and that is made now, would have been made before others.
    let comesInOrder = destination.slot(slot).row != nil || !destination.isFromEarlierBatch(slot: slot)
    if !isApart || !comesInOrder { throw EntangledRows() }
  }

  /// Judges what is reached from an object, nested or mentioned.
  func checkWindow(reaching destination: EntityPass, from owner: EntityPass) throws {
    guard rows.isDivided else { return }
    if owner !== target, destination === target { throw EntangledRows() }
    let owner = ObjectIdentifier(owner)
    if let known = destination.reachedFrom, known != owner { throw EntangledRows() }
    destination.reachedFrom = owner
  }

  /// An object has changed its row, or something is to be said about it: none may have been nested in an earlier window as well.
  func checkWindow(changing slot: Int, of pass: EntityPass) throws {
    if rows.isDivided, pass !== target, pass.isListedByEarlierBatch(slot: slot) { throw EntangledRows() }
  }

  /// What a nested object of a window lacks, another window may have.
  func checkWindow(lacking isLacking: Bool, in pass: EntityPass) throws {
    if isLacking, rows.isDivided, pass !== target { throw EntangledRows() }
  }

  /// Judges whether the payload shows both ends of a relationship between nested objects.
  func checkNestedEnds() throws {
    guard rows.isDivided else { return }
    for pass in entities where pass !== target {
      for (position, plan) in pass.plan.relationships.enumerated() where pass.batch.shownRelationships[position] {
        guard let destination = pass.destinations[position], let back = destination.plan.inverse(of: plan) else {
          continue
        }
        if destination.batch.shownRelationships[back] { throw EntangledRows() }
      }
    }
  }

  /// Judges at the end of a window whether new rows of nested objects lead to what they must.
  func checkNestedVacancies() throws {
    for pass in entities where pass !== target {
      for plan in pass.plan.requiredRelationships {
        try pass.forEachRow { slot, _ in
          guard pass.slot(slot).state == .created, let row = pass.slot(slot).row else { return }
          try checkWindow(lacking: transaction.destination(of: plan.relationship, row: row) == nil, in: pass)
        }
      }
    }
  }
}
