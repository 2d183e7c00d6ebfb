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

  var state: State = .unmanaged
  /// The objects that this one can find; nil for an object that was neither inserted nor fetched.
  var graph: ObjectGraph?
  /// The entity of the container that the object belongs to, once it is in a context.
  var binding: ModelBinding?
  /// The stored values as of the last fetch, save or refresh.
  var record: Record?
  /// Edited values and loaded relationships, by slot; empty until the first one.
  var slots: [Slot] = []
  /// Relationships that an initialiser has set. There is no `self` then to enter into the other direction, so that is
  /// done at the first opportunity after.
  var unconnected: [Int] = []
  /// Whether a rollback has made it unmanaged. The stored objects that it is related to do not know of it any more, until it
  /// is inserted again.
  var isForgotten = false

  private var storedIdentifier: PersistentIdentifier?
  private var registrar: ObservationRegistrar?

  /// A backing without values, for a new object.
  public init() {}

  /// What the object of a stored row is made from.
  public struct Source {
    let state: State
    let record: Record?
    let binding: ModelBinding?
    let identifier: PersistentIdentifier?
    let graph: ObjectGraph?

    /// The source of an object that stands for a row which is not there.
    static var missing: Source { Source(state: .gone, record: nil, binding: nil, identifier: nil, graph: nil) }

    static func row(
      _ record: Record, _ binding: ModelBinding, _ identifier: PersistentIdentifier, _ graph: ObjectGraph
    ) -> Source {
      Source(state: .stored, record: record, binding: binding, identifier: identifier, graph: graph)
    }
  }

  /// Takes over a row's values, in place of those that the declarations of the properties gave.
  public func adopt(_ source: Source) {
    state = source.state
    record = source.record
    binding = source.binding
    storedIdentifier = source.identifier
    graph = source.graph
    slots = []
    unconnected = []
  }

  /// What a slot holds beside the record.
  struct Slot {
    var content: SlotContent = .absent
    /// Whether the content is an unsaved edit, and not merely loaded.
    var isEdited = false
  }

  /// The context that the object is registered in, as long as it is there.
  var context: ModelContext? { graph?.context }

  var hasEdits: Bool { slots.contains { $0.isEdited } }

  func isEdited(_ slot: Int) -> Bool { slot < slots.count && slots[slot].isEdited }

  func identifier<Model: PersistentModel>(of model: Model) -> PersistentIdentifier {
    if let storedIdentifier { return storedIdentifier }
    let identifier = PersistentIdentifier(temporaryFor: Model.modelTable.name)
    storedIdentifier = identifier
    return identifier
  }

  /// Replaces the temporary identifier by that of the row that a save has made.
  func settle(as identifier: PersistentIdentifier) {
    storedIdentifier = identifier
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
    storedIdentifier = nil
    state = .unmanaged
    return loss
  }

  /// The row, once there is one.
  var storedRow: RowNumber? { storedIdentifier?.row }

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
    slot < slots.count ? slots[slot].content : .absent
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

  /// Made on first use: most fetched objects are never observed.
  private var observation: ObservationRegistrar {
    if let registrar { return registrar }
    let made = ObservationRegistrar()
    registrar = made
    return made
  }

  func registerAccess<Model: PersistentModel, Value>(of model: Model, _ keyPath: KeyPath<Model, Value>) {
    observation.access(model, keyPath: keyPath)
  }

  func mutate<Model: PersistentModel, Value>(
    _ model: Model, _ keyPath: KeyPath<Model, Value>, _ mutation: () -> Void
  ) {
    observation.withMutation(of: model, keyPath: keyPath, mutation)
  }

  /// Tells observers that a property has changed by other means than its setter.
  func announceMutation<Model: PersistentModel, Value>(of model: Model, _ keyPath: KeyPath<Model, Value>) {
    registrar?.withMutation(of: model, keyPath: keyPath) {}
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
