import Records
import SyncEngine

extension ObjectPass {
  /// What a save has written, and the identities of the first rows that cascades have deleted.
  struct Written {
    var changes: [EntityID: ChangeSet.EntityChanges] = [:]
    var cascaded: [EntityID: [FieldValue]] = [:]
    /// Of a rehearsed save: where the new objects would be.
    var rows: [ObjectIdentifier: RowNumber] = [:]
  }

  /// Counts what became of the objects that the payload speaks about, and what was deleted, by what the save has written. The
  /// target is the entity that the payload is for: it is counted also when nothing happened to it.
  func count(_ written: Written, in core: ContainerCore, _ target: String) {
    let changes = written.changes
    let inserted = changes.mapValues { Set($0.inserted) }
    let relinked = Set(changedLinks.lazy.filter(\.isDifferent).map { ObjectIdentifier($0.owner) })
    countVisits(target) { visit in
      guard let entity = visit.model._$backing.binding?.entity,
        let row = visit.model._$backing.storedRow ?? written.rows[ObjectIdentifier(visit.model)]
      else { return .unchanged }
      // A new object may have become a row that had its identity already.
      if inserted[entity.id]?.contains(row) == true { return .inserted }
      guard visit.isChanged || visit.isNew, let written = changes[entity.id]?.updated[row] else { return .unchanged }
      return isUpdate(written, of: visit.model, entity, relinked) ? .updated : .unchanged
    }
    for (entity, changes) in changes where !changes.deleted.isEmpty {
      guard let name = core.store.catalog[entity]?.name else { continue }
      report.count(name) { $0.deleted += changes.deleted.count }
      // A row that the payload doesn't list may have gone along with another one of these.
      let named = Set(report.identities[name]?.deleted ?? [])
      for identity in written.cascaded[entity]?.map(\.reportText) ?? [] where !named.contains(identity) {
        report.name(identity, of: name, in: \.deleted)
      }
    }
  }

  /// Whether what a save has written is a change that the payload has made. Values may have been changed and changed back, and a
  /// relationship may have been changed from its other direction, which does not count for the row at this end.
  private func isUpdate(
    _ written: PropertySet, of model: any PersistentModel, _ entity: Entity, _ relinked: Set<ObjectIdentifier>
  ) -> Bool {
    // What hand-written code does beside the helpers is not known.
    guard model is any SyncMappedModel else { return !written.isEmpty }
    return entity.attributes.contains { written.contains($0.propertyIndex) }
      || relinked.contains(ObjectIdentifier(model))
  }

  private enum Fate {
    case inserted, updated, unchanged
  }

  private func countVisits(_ target: String, _ fate: (Visit) -> Fate) {
    report.count(target) { _ in }
    for visit in visited where !visit.model.isDeleted {
      let name = type(of: visit.model).modelTable.name
      let identity = identityText(of: visit.model)
      switch fate(visit) {
      case .inserted:
        report.count(name) { $0.inserted += 1 }
        report.name(identity, of: name, in: \.inserted)
      case .updated:
        report.count(name) { $0.updated += 1 }
        report.name(identity, of: name, in: \.updated)
      case .unchanged:
        report.count(name) { $0.unchanged += 1 }
        report.name(identity, of: name, in: \.unchanged)
      }
    }
    countLinks()
    if removedDuplicates > 0 { report.noteRemovedDuplicates(removedDuplicates, of: target) }
  }

  private func countLinks() {
    var named: (linked: Set<ObjectIdentifier>, unlinked: Set<ObjectIdentifier>) = ([], [])
    for links in changedLinks {
      let (linked, unlinked) = links.difference
      let name = type(of: links.owner).modelTable.name
      report.count(name) {
        $0.linked += linked
        $0.unlinked += unlinked
      }
      let owner = ObjectIdentifier(links.owner)
      if linked > 0, named.linked.insert(owner).inserted {
        report.name(identityText(of: links.owner), of: name, in: \.linked)
      }
      if unlinked > 0, named.unlinked.insert(owner).inserted {
        report.name(identityText(of: links.owner), of: name, in: \.unlinked)
      }
    }
  }

  /// The identity of an object as reports name it; empty for one without.
  func identityText(of model: any PersistentModel) -> String {
    func text<Model: SyncModelable>(_ model: Model) -> String { "\(model[keyPath: Model.syncIdentity])" }
    return (model as? any SyncModelable).map { text($0) } ?? ""
  }
}

extension ObjectPass.ChangedLinks {
  /// How many links were made and removed.
  fileprivate var difference: (linked: Int, unlinked: Int) {
    let now = Set(now().map { ObjectIdentifier($0) })
    return (now.subtracting(before).count, before.subtracting(now).count)
  }

  fileprivate var isDifferent: Bool { difference != (0, 0) }
}
