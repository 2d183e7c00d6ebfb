import Records

/// An object of an entity: its values by the names of the model's properties.
///
/// ```swift
/// let user: ManagedObject = try context.insertObject(inEntityNamed: "User")
/// user["name"] = "Anna"
/// let name: String? = try user.value("name")
/// ```
///
/// Within one context a row has one object, which belongs to the context's actor. Edits stay in the context until it is saved. What
/// others commit is taken in by objects as it comes; a property that is edited keeps its edit. Who reads a property within
/// `withObservationTracking` is told when it changes.
///
/// An application may have a class of its own for an entity, whose properties are `@Managed`, and names it to its `DataStack`.
open class ManagedObject {
  /// The life of an object.
  enum State {
    /// Will be stored by the next save.
    case inserted
    /// Has a row.
    case stored
    /// Has a row, which the next save deletes.
    case deleted
    /// Has no row any more, or never gets one.
    case gone
  }

  /// What an object is made of. Only contexts make objects.
  public struct Source {
    let context: ManagedObjectContext
    let binding: EntityBinding
    let state: State
    let row: RowNumber
    let record: Record?
  }

  /// The context that the object belongs to; nil when that is gone.
  public private(set) weak var managedObjectContext: ManagedObjectContext?
  let binding: EntityBinding
  var state: State
  /// The row; for a new object a number that no row has.
  private(set) var row: RowNumber
  /// What is stored, as far as this context has taken it in.
  private(set) var record: Record?
  /// Edited attributes by their positions, and all that transient ones have.
  var values: [Int: FieldValue] = [:]
  /// Edited to-one relationships by their positions.
  var destinations: [Int: ManagedObject?] = [:]
  /// Edited to-many relationships by their positions.
  var memberships: [Int: Membership] = [:]
  let observers = ObjectObservers()

  /// Makes an object for a context.
  public required init(_ source: Source) {
    managedObjectContext = source.context
    binding = source.binding
    state = source.state
    row = source.row
    record = source.record
  }

  /// The entity that the object is of.
  public final var entity: EntityDescription { binding.entity }

  /// What names the object in every context. It is a temporary name until the object is saved for the first time.
  public final var objectID: ManagedObjectID {
    ManagedObjectID(entityName: entity.name, row: row, store: binding.store)
  }

  /// Whether the next save inserts the object.
  public final var isInserted: Bool { state == .inserted }
  /// Whether the object is stored and has edits that the next save writes.
  public final var isUpdated: Bool { state == .stored && hasEdits }
  /// Whether the object is deleted, or the next save deletes it.
  public final var isDeleted: Bool { state == .deleted || state == .gone }
  /// Whether the next save does something for the object.
  public final var hasChanges: Bool { state == .inserted || state == .deleted || isUpdated }

  /// The names of the edited properties, with their values now.
  public final func changedValues() -> [String: Any?] {
    var result: [String: Any?] = [:]
    for position in values.keys where binding.attributes[position].field != nil || state == .inserted {
      result.updateValue(value(at: position), forKey: binding.name(of: .attribute(position)))
    }
    for position in Array(destinations.keys) + Array(memberships.keys) {
      result.updateValue(related(at: position), forKey: binding.name(of: .relationship(position)))
    }
    return result
  }

  /// Whether relationships show the object.
  final var isPresent: Bool { state == .inserted || state == .stored }

  /// The row, if there is one.
  final var storedRow: RowNumber? { state == .stored || state == .deleted ? row : nil }

  final var hasEdits: Bool {
    if !destinations.isEmpty || !memberships.isEmpty { return true }
    return values.keys.contains { binding.attributes[$0].field != nil }
  }

  /// Makes the object stand for the row that a save has made.
  final func settle(at row: RowNumber) {
    self.row = row
    state = .stored
  }

  final func replaceRecord(by record: Record) {
    self.record = record
    forgetReadMembers()
  }

  final func keep(_ content: FieldValue, of field: FieldIndex) {
    record?.keep(content, of: field)
  }

  /// Forgets what a save would write. Transient values stay.
  final func forgetEdits() {
    values = values.filter { binding.attributes[$0.key].field == nil }
    destinations = [:]
    memberships = [:]
  }

  /// Parts from what it was related to: objects of deleted rows would keep each other in memory.
  final func retire() {
    state = .gone
    destinations = [:]
    memberships = [:]
  }
}

extension ManagedObject: Hashable {
  /// Two references are equal when they are one object.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

  /// Hashes which object it is.
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: PredicateArgument {
  /// The object in a predicate.
  public final var predicateExpression: ObjectExpression { .object(objectID) }
}

extension ManagedObject: CustomStringConvertible {
  /// The object's entity and number.
  public final var description: String { objectID.description }
}
