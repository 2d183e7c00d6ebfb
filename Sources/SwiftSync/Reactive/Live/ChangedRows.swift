import Records

/// What several commits together did to rows, by entity.
struct ChangedRows {
  private(set) var entities: [EntityID: ChangeSet.EntityChanges] = [:]

  init(_ commits: [ChangeSet]) {
    guard let first = commits.first else { return }
    entities = first.entities
    for commit in commits.dropFirst() {
      for (entity, changes) in commit.entities {
        entities[entity, default: ChangeSet.EntityChanges()].inserted += changes.inserted
        entities[entity, default: ChangeSet.EntityChanges()].deleted += changes.deleted
        entities[entity, default: ChangeSet.EntityChanges()].updated.merge(changes.updated) { $0.union($1) }
      }
    }
  }
}
