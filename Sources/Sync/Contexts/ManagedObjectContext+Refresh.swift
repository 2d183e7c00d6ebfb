import Contexts
import Records

/// Bringing registered objects up to date with the store. What is edited in an object keeps its edit.
extension ManagedObjectContext {
  /// Takes in what has been committed since the last time, by others and by this context's own saves. What is newer than a snapshot
  /// that is being read has to wait.
  func catchUp() {
    if isReading || mailbox.isEmpty { return }
    announcing {
      var hasSnapshot = false
      reportingErrors {
        try readAnew {
          hasSnapshot = true
          try takeIn(from: $0)
        }
      }
      if !hasSnapshot { mailbox.noteMissedLook() }
    }
  }

  /// Runs a closure on a snapshot, after taking in what has been committed and it shows: so objects that are made of its rows and those
  /// from before are of the same state of the store.
  func reading<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    try announcing {
      if isReading { return try read(body) }
      return try readAnew { snapshot in
        try takeIn(from: snapshot)
        return try body(snapshot)
      }
    }
  }

  /// Takes in what a snapshot shows and objects do not.
  private func takeIn(from snapshot: RecordSnapshot) throws {
    switch try mailbox.take(shownBy: snapshot) {
    case .nothing: break
    case .changes(let changes):
      for changes in changes { try refresh(changes, from: snapshot) }
    case .everything:
      for (table, row, object) in registered.objects {
        try refresh(object, row, table, changed: .everything, from: snapshot)
      }
    }
  }

  /// Takes in what others have committed. The main context does this by itself.
  public func processPendingChanges() { catchUp() }

  private func refresh(_ changes: ChangeSet, from snapshot: RecordSnapshot) throws {
    for (table, changes) in changes.entities {
      for row in changes.deleted {
        if let object = registered[row, table] { retire(object, row, table) }
      }
      for (row, changed) in changes.updated {
        guard let object = registered[row, table] else { continue }
        try refresh(object, row, table, changed: changed, from: snapshot)
      }
    }
  }

  private func refresh(
    _ object: ManagedObject, _ row: RowNumber, _ table: EntityID, changed: PropertySet, from snapshot: RecordSnapshot
  ) throws {
    guard let entity = object.binding.table else { return }
    let isPresent: Void? = try snapshot.withRecord(row, of: entity) { record in
      // A row that has become another entity's needs another object.
      if try store().binding(of: record, in: table) === object.binding {
        update(object, from: record)
      } else {
        retire(object, row, table)
      }
    }
    if isPresent == nil { retire(object, row, table) }
    object.forgetReadMembers()
    announce(object.binding.changedMemberships(in: changed).map { .relationship($0) }, of: object)
  }

  /// Replaces the stored values of an object.
  func update(_ object: ManagedObject, from record: RecordView) {
    if object.record?.isCopy(of: record) == true { return }
    let new = Record(record)
    let differences = object.record.map { object.binding.differences($0, new) } ?? []
    announce(differences, of: object)
    object.replaceRecord(by: new)
  }

  /// The row of a registered object is gone.
  func retire(_ object: ManagedObject, _ row: RowNumber, _ table: EntityID) {
    announceAll(of: object)
    object.retire()
    unsaved.forget(object)
    registered.remove(row, table)
  }

  /// Gives objects the values of their rows, whatever commits say.
  func reload(_ objects: [ManagedObject]) {
    if objects.isEmpty { return }
    reportingErrors {
      try readAnew { snapshot in
        for object in objects {
          guard let row = object.storedRow, let table = object.binding.table else { continue }
          try refresh(object, row, table.id, changed: PropertySet(), from: snapshot)
        }
      }
    }
  }
}
