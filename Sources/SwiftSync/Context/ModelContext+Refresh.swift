import Contexts
import KeyValueStore
import Records

/// Bringing registered objects up to date with the store.
///
/// An object without edits is changed in place. One with edits is left alone until they are saved or rolled back.
extension ModelContext {
  /// Takes in what others have committed since the last time, and what a save of this context has. What is newer than a snapshot that
  /// is being read has to wait.
  func catchUp(after own: ChangeSet? = nil) {
    if graph.isReading { return }
    if mailbox.isOver { announcing { liveQueries?.end(with: StoreError.closed(path: core.configuration.url.path)) } }
    if mailbox.isEmpty && !core.followsOthers { return }
    reading { try takeIn(from: $0, besides: own) }
  }

  /// Runs a closure on a snapshot, after taking in what others have committed and it shows: so objects that are made of its rows and
  /// those from before are of the same state of the store. Observers are told of what is refreshed when the snapshot is closed.
  @inline(__always)
  func read<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    try announcing {
      if graph.isReading { return try graph.read(body) }
      return try graph.readAnew { snapshot in
        if !mailbox.isEmpty || core.followsOthers { try takeIn(from: snapshot) }
        return try body(snapshot)
      }
    }
  }

  /// Like `read`, where nothing can be thrown and nothing is taken in: the next fetch or save throws the error.
  private func reading(_ body: (RecordSnapshot) throws -> Void) {
    announcing {
      var hasSnapshot = false
      graph.reading {
        try graph.readAnew {
          hasSnapshot = true
          try body($0)
        }
      }
      if !hasSnapshot { mailbox.noteMissedLook() }
    }
  }

  /// Takes in what a snapshot shows and objects and queries do not.
  private func takeIn(from snapshot: RecordSnapshot, besides own: ChangeSet? = nil) throws {
    core.catchUp(through: snapshot)
    let content = try mailbox.take(shownBy: snapshot)
    switch content {
    case .nothing: return
    case .changes(let changes): forgetMembers(changedBy: changes, besides: own)
    case .everything: readMembers = nil
    }
    liveQueries?.noteConflicts(with: content, in: self)
    refresh(content, from: snapshot)
    liveQueries?.update(by: content, in: self, snapshot)
  }

  private func refresh(_ content: ChangeMailbox.Content, from snapshot: RecordSnapshot) {
    switch content {
    case .nothing: break
    case .changes(let changes):
      for changes in changes { refresh(changes, from: snapshot) }
    case .everything:
      for (entity, row, model) in graph.registered.objects {
        refresh(model, row, entity, changed: nil, from: snapshot)
      }
    }
  }

  private func refresh(_ changes: ChangeSet, from snapshot: RecordSnapshot) {
    for (entity, changes) in changes.entities {
      if changes.updated.count + changes.deleted.count <= graph.registered.countMax {
        for row in changes.deleted { retire(row, entity) }
        for (row, properties) in changes.updated {
          guard let model = graph.registered[row, entity] else { continue }
          refresh(model, row, entity, changed: properties, from: snapshot)
        }
      } else {
        // A context with few objects does not walk through the rows of a large sync.
        let deleted = Set(changes.deleted)
        for (known, row, model) in graph.registered.objects where known == entity {
          if deleted.contains(row) { retire(row, entity) }
          guard let properties = changes.updated[row] else { continue }
          refresh(model, row, entity, changed: properties, from: snapshot)
        }
      }
    }
  }

  /// Brings an object without edits up to date. One whose row cannot be read stays as it is, and is in nobody else's way.
  /// `changed` are the properties that are known to differ; nil where any may.
  private func refresh(
    _ model: any PersistentModel, _ row: RowNumber, _ entity: EntityID, changed: PropertySet?,
    from snapshot: RecordSnapshot
  ) {
    guard model._$backing.state == .stored, let binding = core.binding(of: entity) else { return }
    graph.reading {
      let isPresent: Void? = try snapshot.withRecord(row, of: binding.entity) {
        try update(model, from: $0, row, binding, in: snapshot)
      }
      if isPresent == nil { retire(row, entity) }
    }
    for property in binding.toManyProperties(in: changed) {
      model._$backing.noteOutdatedMembers(of: property.slot)
      announce(property, of: model)
    }
  }

  /// Replaces the values of an object without edits by those of its row, and tells observers which differ.
  func update(
    _ model: any PersistentModel, from record: RecordView, _ row: RowNumber, _ binding: ModelBinding,
    in snapshot: RecordSnapshot
  ) throws {
    let backing = model._$backing
    guard backing.state == .stored, !backing.hasEdits, backing.record?.isCopy(of: record) != true else { return }
    try replaceValues(of: model, by: record, row, binding, in: snapshot)
  }

  /// Replaces the values of an object by those of its row, and tells observers which differ from what the object shows.
  private func replaceValues(
    of model: any PersistentModel, by record: RecordView, _ row: RowNumber, _ binding: ModelBinding,
    in snapshot: RecordSnapshot
  ) throws {
    let backing = model._$backing
    let stored = try binding.record(record, of: row, in: snapshot)
    for property in backing.record.map({ binding.fieldsThatDiffer($0, record) }) ?? []
    where !backing.isEdited(property.slot) {
      announce(property, of: model)
    }
    backing.replaceRecord(by: stored)
    if unsaved.touched.contains(model) { backing.forgetDecodedValues() } else { backing.slots = [] }
  }

  /// The row of a registered object is gone.
  func retire(_ row: RowNumber, _ entity: EntityID) {
    guard let model = graph.registered[row, entity] else { return }
    model._$backing.state = .gone
    model._$backing.forgetLinks()
    graph.mayHideMembers = true
    unsaved.forget(model)
    graph.registered.remove(row, entity)
    liveQueries?.noteRetired(row, of: entity)
    for property in type(of: model).modelTable.properties { announce(property, of: model) }
  }

  /// Gives objects the values of their rows, whatever they hold. A row that somebody has deleted is gone; one in which
  /// somebody has put what the class cannot represent leaves its object as it was.
  func reload(_ models: [any PersistentModel]) {
    if models.isEmpty { return }
    reading { snapshot in
      for model in models {
        guard model._$backing.state == .stored, let binding = model._$backing.binding,
          let row = model._$backing.storedRow
        else { continue }
        graph.reading {
          let isPresent: Void? = try snapshot.withRecord(row, of: binding.entity) {
            try replaceValues(of: model, by: $0, row, binding, in: snapshot)
          }
          if isPresent == nil { retire(row, binding.entity.id) }
        }
      }
    }
  }
}
