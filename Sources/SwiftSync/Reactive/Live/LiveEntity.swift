import Records

/// The live queries that changes of one entity's rows may concern.
final class LiveEntity {
  let entity: Entity
  /// Those of the entity's rows that are asked about each changed row.
  private(set) var wide = LiveSet()
  /// Those of the entity's rows to which a row leads.
  private(set) var narrow = LiveColumns()
  /// Those of other rows, which a row of this entity limits by its identity.
  private(set) var scopes = LiveColumns()
  /// Those of other rows that may read anything here.
  private(set) var readers = LiveSet()
  /// Those of the entity's rows that matter of other rows, by the ways that lead there.
  private(set) var paths: [[RelationshipID]: PathGroup] = [:]

  /// The queries for which a way matters.
  struct PathGroup {
    let hops: [Relationship]
    /// The properties at its end that decide about rows of one of them.
    var deciding = PropertySet()
    /// Those that matter to one of them.
    var everything = PropertySet()
    /// Those that are asked about each row, and the number of the others.
    var wide = LiveSet()
    var narrowCount = 0

    var isEmpty: Bool { wide.isEmpty && narrowCount == 0 }
  }

  init(_ entity: Entity) {
    self.entity = entity
  }

  // MARK: Queries of the entity's rows

  /// Files a query as its rows are now, in place of how it was filed before.
  func file(_ entry: LiveEntry, isNew: Bool) {
    guard let query = entry.query else { return }
    guard let keys = entry.keys else {
      if isNew {
        wide.insert(entry)
        addPaths(of: entry, isWide: true)
      }
      return
    }
    if isNew { addPaths(of: entry, isWide: false) }
    if isNew || keys != entry.filed.keys {
      for key in entry.filed.keys { narrow.remove(entry, under: key) }
      for key in keys { narrow.insert(entry, under: key) }
      entry.filed.keys = keys
    }
    if query.rowNumbers != entry.filed.rows {
      narrow.remove(entry, having: entry.filed.rows)
      narrow.insert(entry, having: query.rowNumbers)
      entry.filed.rows = query.rowNumbers
    }
  }

  func remove(_ entry: LiveEntry) {
    let isWide = wide.contains(entry)
    wide.remove(entry)
    for key in entry.filed.keys { narrow.remove(entry, under: key) }
    narrow.remove(entry, having: entry.filed.rows)
    for path in entry.interest.paths {
      if isWide { paths[path.key]?.wide.remove(entry) } else { paths[path.key]?.narrowCount -= 1 }
      if paths[path.key]?.isEmpty == true { paths[path.key] = nil }
    }
  }

  private func addPaths(of entry: LiveEntry, isWide: Bool) {
    for path in entry.interest.paths {
      var group = paths[path.key] ?? PathGroup(hops: path.hops)
      group.deciding.formUnion(path.deciding)
      group.everything.formUnion(path.everything)
      if isWide { group.wide.insert(entry) } else { group.narrowCount += 1 }
      paths[path.key] = group
    }
  }

  // MARK: Queries of other rows

  func addReader(_ entry: LiveEntry) { readers.insert(entry) }
  func removeReader(_ entry: LiveEntry) { readers.remove(entry) }

  /// Files a query under the identity that limits it, and under the rows that have it now.
  func fileScope(_ entry: LiveEntry, isNew: Bool) {
    guard let key = entry.scope?.identity?.key, let query = entry.query else { return }
    if isNew { scopes.insert(entry, under: key) }
    if query.scopeRows != entry.filed.scopeRows {
      scopes.remove(entry, having: entry.filed.scopeRows)
      scopes.insert(entry, having: query.scopeRows)
      entry.filed.scopeRows = query.scopeRows
    }
  }

  func removeScope(_ entry: LiveEntry) {
    if let key = entry.scope?.identity?.key { scopes.remove(entry, under: key) }
    scopes.remove(entry, having: entry.filed.scopeRows)
  }
}
