import Records
import Synchronization

/// Finding and making the objects of rows.
extension ManagedObjectContext {
  /// The object with an identifier; nil if there is none, or it is deleted.
  /// - Throws: What reading the store throws.
  public func object(with id: ManagedObjectID) throws -> ManagedObject? {
    if id.isTemporaryID { return unsaved.inserted.objects.first { $0.objectID == id } }
    let store = try store()
    guard id.isOf(store.records.identifier), let table = try store.binding(id.entityName).table else { return nil }
    let found = try reading { _ in try object(id.row, in: table) }
    return found.flatMap { $0.isPresent && $0.entity.name == id.entityName ? $0 : nil }
  }

  /// The object with an identifier.
  /// - Throws: `ManagedObjectError.missingObject`, and what reading the store throws.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    guard let object = try object(with: id) else { throw ManagedObjectError.missingObject(id) }
    return object
  }

  /// The object with an identifier, if this context has it already.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    if id.isTemporaryID { return unsaved.inserted.objects.first { $0.objectID == id } }
    guard let store = try? store(), id.isOf(store.records.identifier),
      let table = (try? store.binding(id.entityName))?.table, let object = registered[id.row, table.id]
    else { return nil }
    return object.isPresent && object.entity.name == id.entityName ? object : nil
  }

  /// This context's own object of one that may be another context's.
  ///
  /// - Throws: `ManagedObjectError.missingObject` for one that is not saved or is deleted, and what reading the store throws.
  public func existingObject<Object: ManagedObject>(like object: Object) throws -> Object {
    let found = object.managedObjectContext === self ? object : try existingObject(with: object.objectID)
    return try typed(found)
  }

  /// An object as one of its class.
  /// - Throws: `ManagedObjectError.wrongClass`.
  func typed<Object: ManagedObject>(_ object: ManagedObject) throws(ManagedObjectError) -> Object {
    if let typed = object as? Object { return typed }
    throw .wrongClass(entity: object.entity.name, expected: "\(Object.self)", found: "\(type(of: object))")
  }

  /// The object of a row: the registered one, or a new one. Nil when the row is gone.
  func object(_ row: RowNumber, in table: Entity) throws -> ManagedObject? {
    if let known = registered[row, table.id] { return known }
    return try read { snapshot in
      try snapshot.withRecord(row, of: table) { try make(row, $0, table) } ?? nil
    }
  }

  /// The object at the far end of a relationship, where nothing can be thrown.
  func linkedObject(_ row: RowNumber, in table: EntityID) -> ManagedObject? {
    reportingErrors {
      if let known = registered[row, table] { return known }
      guard let entity = try store().records.catalog[table] else { return nil }
      return try object(row, in: entity)
    } ?? nil
  }

  /// The stored members of a to-many relationship, in order, where nothing can be thrown.
  func linkedObjects(_ relationship: Relationship, of owner: RowNumber) -> [ManagedObject] {
    reportingErrors {
      guard let entity = try store().records.catalog[relationship.destination] else { return [] }
      return try read { snapshot in
        try snapshot.members(of: relationship, owner: owner).compactMap { try object($0, in: entity) }
      }
    } ?? []
  }

  func reportingErrors<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      note(error)
      return nil
    }
  }

  /// Registers a new object for a row; nil for the row of an entity that the model doesn't have.
  func make(_ row: RowNumber, _ record: RecordView, _ table: Entity) throws -> ManagedObject? {
    guard let binding = try store().binding(of: record, in: table.id) else { return nil }
    let object = binding.objectClass.init(
      ManagedObject.Source(context: self, binding: binding, state: .stored, row: row, record: Record(record)))
    registered.insert(object, row, table.id)
    return object
  }

  /// The object of a row that has just been read: the registered one, brought up to date, or a new one.
  func current(_ row: RowNumber, _ record: RecordView, _ table: Entity) throws -> ManagedObject? {
    guard let known = registered[row, table.id] else { return try make(row, record, table) }
    update(known, from: record)
    return known
  }
}

/// Gives new objects numbers that no other has and that no row will have.
enum TemporaryNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> RowNumber {
    RowNumber(rawValue: ManagedObjectID.firstTemporary + last.add(1, ordering: .relaxed).newValue)
  }
}
