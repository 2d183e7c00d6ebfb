import Observation
import Records

/// Where a model object keeps its values: the stored record's bytes, and beside them what has been edited since.
///
/// A property is decoded when it is read. An object that was fetched and not touched is its record and nothing else: it
/// holds no other object, so relationships between fetched objects make no reference cycles.
public final class ModelBacking {
  /// The life of an object.
  enum State {
    /// Made by the application, known to no context.
    case unmanaged
    /// Will be stored by the next save.
    case inserted
    /// Has a row.
    case stored
    /// Has a row, which the next save deletes.
    case deleted
    /// Had a row, which is deleted.
    case gone
  }

  // Of these the exclusivity of accesses need not be checked, and that would be a good part of what reading a property costs: nothing
  // is called while one of them is loaded or changed, and what it held before has no code of the application in its end.

  @exclusivity(unchecked) var state: State = .unmanaged
  /// The objects that this one can find; nil for an object that was neither inserted nor fetched.
  @exclusivity(unchecked) var graph: ObjectGraph?
  /// The entity of the container that the object belongs to, once it is in a context.
  @exclusivity(unchecked) var binding: ModelBinding?
  /// The stored values as of the last fetch, save or refresh.
  @exclusivity(unchecked) private(set) var record: Record?
  /// Whom the object's observers are registered with, once there has been one.
  @exclusivity(unchecked) private var observers: Observers?
  /// How many slots there are. Most objects have none, and whoever only reads need not look at the list to know.
  @exclusivity(unchecked) private(set) var slotCount = 0
  /// Relationships that an initialiser has set. There is no `self` then to enter into the other direction, so that is
  /// done at the first opportunity after.
  @exclusivity(unchecked) var unconnected: [Int] = []
  /// The row, once there is one.
  @exclusivity(unchecked) private(set) var storedRow: RowNumber?

  /// Edited values and loaded relationships, by slot; empty until the first one.
  var slots: [Slot] = [] {
    didSet { slotCount = slots.count }
  }
  /// Whether a rollback has made it unmanaged. The stored objects that it is related to do not know of it any more, until it
  /// is inserted again.
  var isForgotten = false

  /// The number in the identifier of an object that has no row; zero before anybody has asked for it.
  private var temporaryNumber: UInt64 = 0

  /// A backing without values, for a new object.
  public init() {}

  /// What the object of a stored row is made from.
  public struct Source {
    let state: State
    /// Nil for an object that is new, or stands for a row which is not there.
    let row: Row?

    struct Row {
      let number: RowNumber
      let record: Record
      let binding: ModelBinding
      let graph: ObjectGraph
    }

    /// The source of an object that stands for a row which is not there.
    static var missing: Source { Source(state: .gone, row: nil) }

    static func row(
      _ number: RowNumber, _ record: Record, _ binding: ModelBinding, _ graph: ObjectGraph
    ) -> Source {
      Source(state: .stored, row: Row(number: number, record: record, binding: binding, graph: graph))
    }
  }

  /// Takes over a row's values, in place of those that the declarations of the properties gave.
  public func adopt(_ source: Source) {
    if slotCount > 0 { slots = [] }
    if !unconnected.isEmpty { unconnected = [] }
    state = source.state
    guard let row = source.row else { return }
    record = row.record
    binding = row.binding
    storedRow = row.number
    graph = row.graph
  }

  /// Replaces the stored values.
  func replaceRecord(by record: Record?) {
    self.record = record
  }

  /// Keeps a content that lies outside of the record with it.
  func keep(_ content: FieldValue, of field: FieldIndex) {
    var record = record
    record?.keep(content, of: field)
    self.record = record
  }

  /// What a slot holds beside the record.
  struct Slot {
    var content: SlotContent = .absent
    /// Whether the content is an unsaved edit, and not merely loaded.
    var isEdited = false
  }

  /// The context that the object is registered in, as long as it is there.
  var context: ModelContext? { graph?.context }

  var hasEdits: Bool { slotCount > 0 && slots.contains { $0.isEdited } }

  func isEdited(_ slot: Int) -> Bool { slot < slotCount && slots[slot].isEdited }

  func identifier<Model: PersistentModel>(of model: Model) -> PersistentIdentifier {
    let name = Model.modelTable.name
    if let storedRow, let graph {
      return PersistentIdentifier(entityName: name, storeIdentifier: graph.core.storeIdentifier, row: storedRow)
    }
    if temporaryNumber == 0 { temporaryNumber = PersistentIdentifier.nextTemporaryNumber() }
    return PersistentIdentifier(entityName: name, temporaryNumber: temporaryNumber)
  }

  /// Makes the object stand for the row that a save has made, which replaces its temporary identifier.
  func settle(at row: RowNumber) {
    storedRow = row
    state = .stored
  }

  /// Makes the object of a deleted row a new one with the same values. Whom it was related to is not known any more.
  ///
  /// - Returns: `ModelError.lostContent` if a value was in external storage and has never been read: it is gone.
  func revive(in table: ModelTable) -> ModelError? {
    var loss: ModelError?
    for property in table.properties where property.attribute != nil && content(of: property.slot).isAbsent {
      let value = field(in: property.slot)
      if value == .null, let index = binding?.field(of: property.slot), record?.value(index) ?? .null != .null {
        loss = .lostContent(entity: table.name, attribute: property.name)
      }
      setContent(.attribute(value), in: property.slot, isEdited: true)
    }
    // A deletion that was never saved has unlinked nothing.
    if record != nil {
      for property in table.properties where property.relationship != nil {
        setContent(.absent, in: property.slot, isEdited: false)
      }
    }
    record = nil
    storedRow = nil
    temporaryNumber = 0
    state = .unmanaged
    return loss
  }

  func setContent(_ content: SlotContent, in slot: Int, isEdited: Bool) {
    while slots.count <= slot { slots.append(Slot()) }
    slots[slot] = Slot(content: content, isEdited: isEdited)
  }

  /// Forgets what was decoded from a record that is being replaced. What the other direction of relationships has changed stays.
  func forgetDecodedValues() {
    for slot in slots.indices where !slots[slot].isEdited {
      if case .composite = slots[slot].content { slots[slot].content = .absent }
    }
  }

  /// Makes edits that a save has written what is stored. Where no record says it, because another new object has become the row
  /// or the row cannot be read, attributes keep their values.
  func forgetEdits() {
    guard record == nil else {
      slots = []
      return
    }
    forgetLinks()
    for slot in slots.indices { slots[slot].isEdited = false }
  }

  /// Forgets which objects were assigned. Those of deleted rows would keep each other in memory.
  func forgetLinks() {
    for slot in slots.indices {
      switch slots[slot].content {
      case .toOne, .toMany: slots[slot] = Slot()
      case .absent, .attribute, .composite: break
      }
    }
  }

  func content(of slot: Int) -> SlotContent {
    slot < slotCount ? slots[slot].content : .absent
  }

  /// Changes a membership where it lies, without copying it. It is an edit if it was one before or is one now.
  func updateMembership(of slot: Int, isEdit: Bool = false, _ body: (inout Membership) -> Void) {
    while slots.count <= slot { slots.append(Slot()) }
    var membership = Membership()
    if case .toMany(let held) = slots[slot].content { membership = held }
    // The slot would be a second owner.
    slots[slot].content = .absent
    body(&membership)
    slots[slot].content = .toMany(membership)
    if isEdit { slots[slot].isEdited = true }
  }

  /// Others have changed the stored members of a relationship whose members are edited here.
  func noteOutdatedMembers(of slot: Int) {
    guard case .toMany = content(of: slot) else { return }
    updateMembership(of: slot) { $0.isOutdated = true }
  }

  // MARK: Observation

  /// Notes that a property is read, for whoever follows what runs now. The registrar is made when the first one does: most
  /// objects are never observed.
  @usableFromInline
  func registerAccess<Model: PersistentModel, Value>(of model: Model, _ keyPath: KeyPath<Model, Value>) {
    if let observers { return observers.registrar.access(model, keyPath: keyPath) }
    if let graph, !graph.isFollowed { return }
    let made = Observers()
    observers = made
    made.registrar.access(model, keyPath: keyPath)
  }

  /// Runs a closure that changes a property. Without a registrar there is nobody to be told.
  func mutate<Model: PersistentModel, Value>(
    _ model: Model, _ keyPath: KeyPath<Model, Value>, _ mutation: () -> Void
  ) {
    guard let observers else { return mutation() }
    observers.registrar.withMutation(of: model, keyPath: keyPath, mutation)
  }

  /// Tells observers that a property has changed by other means than its setter.
  func announceMutation<Model: PersistentModel, Value>(of model: Model, _ keyPath: KeyPath<Model, Value>) {
    observers?.registrar.withMutation(of: model, keyPath: keyPath) {}
  }

  /// A registrar behind a reference. Observation does not tell its size, so that every look at an optional one takes calls.
  private final class Observers {
    let registrar = ObservationRegistrar()
  }
}

/// What a slot holds instead of what the record says.
enum SlotContent {
  /// Nothing: the record says it.
  case absent
  case attribute(FieldValue)
  /// A `Codable` value that is encoded when it is saved, or was decoded when it was read.
  case composite(Any)
  case toOne((any PersistentModel)?)
  case toMany(Membership)

  var isAbsent: Bool {
    if case .absent = self { true } else { false }
  }

  /// Whether it is what a new object has anyway.
  var isNull: Bool {
    switch self {
    case .attribute(.null), .toOne(nil): true
    default: false
    }
  }
}
