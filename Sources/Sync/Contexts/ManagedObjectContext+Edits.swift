import Records

extension ManagedObjectContext {
  /// Makes a new object with the default values of its entity. The next save stores it.
  ///
  /// If the entity has a primary key and a row of the store has the same, the save makes the object stand for that row.
  /// - Throws: `ManagedObjectError.unknownEntity`, `.abstractEntity`, `.wrongClass`, and what opening the store throws.
  public func insertObject<Object: ManagedObject>(
    _ type: Object.Type = Object.self, inEntityNamed name: String
  ) throws -> Object {
    let binding = try store().binding(name)
    guard !binding.entity.isAbstract else { throw ManagedObjectError.abstractEntity(name) }
    let object = binding.objectClass.init(
      ManagedObject.Source(
        context: self, binding: binding, state: .inserted, row: TemporaryNumbers.next(), record: nil))
    let typed: Object = try typed(object)
    for (position, place) in binding.attributes.enumerated() {
      guard let value = place.description.defaultValue?.fieldValue(as: place.description.type) else { continue }
      object.values[position] = value
    }
    unsaved.inserted.insert(object)
    return typed
  }

  /// Marks an object to be deleted by the next save, which follows the delete rules of its relationships. A new object that was never
  /// saved is forgotten at once.
  ///
  /// Deleting an object of another context deletes this context's own object of the same row. One of another stack is none of this
  /// context's, and the next save or fetch throws `ManagedObjectError.missingObject`.
  public func delete(_ object: ManagedObject) {
    guard object.managedObjectContext === self else {
      reportingErrors {
        // What is not there any more need not be deleted, but an object of another stack was never there.
        guard try object.objectID.isOf(store().records.identifier) else {
          throw ManagedObjectError.missingObject(object.objectID)
        }
        if let own = try self.object(with: object.objectID) { delete(own) }
      }
      return
    }
    announcing {
      switch object.state {
      case .inserted:
        unsaved.inserted.remove(object)
        announceLinks(of: object)
        object.retire()
      case .stored:
        object.state = .deleted
        unsaved.updated.remove(object)
        unsaved.deleted.insert(object)
        announceLinks(of: object)
      case .deleted, .gone: break
      }
    }
  }

  /// Tells those who follow the other directions that a member is not shown any more, or again.
  private func announceLinks(of object: ManagedObject) {
    for (position, place) in object.binding.relationships.enumerated() {
      guard let inverse = place.inverse else { continue }
      let related =
        place.description.isToMany
        ? object.linkedMembers(at: position) : object.linkedDestination(at: position).map { [$0] } ?? []
      for other in related {
        if let position = other.binding.position(of: inverse) { announce([.relationship(position)], of: other) }
      }
    }
  }

  /// Forgets everything that has not been saved: edited objects read as stored, deleted ones are back, new ones are gone.
  public func rollback() {
    announcing {
      for object in unsaved.inserted.objects {
        announceAll(of: object)
        object.retire()
      }
      for object in unsaved.deleted.objects {
        object.state = .stored
        announceLinks(of: object)
      }
      let changed = unsaved.updated.objects + unsaved.deleted.objects
      unsaved = Unsaved()
      for object in changed {
        announceAll(of: object)
        object.forgetEdits()
      }
      forgetFailure()
      reload(changed)
      catchUp()
    }
  }

  /// Brings an object up to date with the store. Its edits are kept if `mergeChanges` says so, and else undone, on both sides of its
  /// relationships.
  /// - Throws: What reading the store throws.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    try throwFailure()
    guard object.managedObjectContext === self, object.state == .stored else { return }
    announcing {
      if !mergeChanges {
        announceAll(of: object)
        undoLinks(of: object)
        object.forgetEdits()
        unsaved.updated.remove(object)
      }
      reload([object])
      catchUp()
    }
    try throwFailure()
  }

  private func undoLinks(of object: ManagedObject) {
    for position in object.memberships.keys.sorted() {
      object.setMembers(at: position, to: object.storedMembers(at: position))
    }
    for position in object.destinations.keys.sorted() {
      object.setDestination(at: position, to: object.storedDestination(at: position))
    }
  }
}
