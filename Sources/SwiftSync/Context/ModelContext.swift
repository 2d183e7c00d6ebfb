import Contexts
import Records

/// A unit of work: the objects that an actor reads and edits, and what `save()` will write.
///
/// Within one context a row has one object. Edits stay in the context until `save()`, which writes them in one atomic
/// transaction; other contexts do not see them before. A context belongs to the actor that made it. It keeps objects with
/// unsaved edits alive, and the members of one relationship that was read or saved last; other objects live as long as somebody refers to
/// them.
public final class ModelContext {
  let graph: ObjectGraph
  /// Who is recorded as the author of this context's saves; nil for the application's own edits.
  public var author: String?
  /// Whether the context saves by itself what was edited, when the code that edited is through. False unless it is set.
  ///
  /// This works in the main context and in those of model actors, whose actors have turns that end. Another context saves by
  /// itself in `processPendingChanges()`. A save that fails keeps the edits, and the next fetch or save throws why.
  public var autosaveEnabled = false {
    didSet { if hasChanges { noteUnsaved() } }
  }

  /// What the next save writes and a rollback forgets.
  var unsaved = Unsaved()
  /// New objects that were reached and are still to be inserted.
  private var toEnlist: [any PersistentModel] = []
  private var isEnlisting = false
  /// Members of a stored relationship that are known without reading.
  var readMembers: ReadMembers?
  /// What others have committed.
  let mailbox: ChangeMailbox
  /// What observers are still to be told, while `announcementDepth` is not 0.
  var announcements: [Announcement] = []
  var announcementDepth = 0
  /// Is told what a save has written, and the identities of the first rows that cascades have deleted, before observers are.
  var onSave: ((ChangeSet, _ cascaded: [EntityID: [FieldValue]]) -> Void)?
  /// How many saves have written something.
  var saveCount = 0
  /// How many closures of `transaction(block:)` are running.
  var transactionDepth = 0
  /// Whether observers are being told that a save is about to write. They may save too, which is then not announced again.
  var isPostingWillSave = false
  /// Whether the context's actor will process what is pending.
  var isTurnPending = false
  /// The queries that are kept up to date; nil until there is one.
  var liveQueries: LiveQueries?

  /// Makes a context of its own for a container.
  public convenience init(_ container: ModelContainer) {
    self.init(core: container.core)
  }

  init(core: ContainerCore, mailbox: ChangeMailbox = ChangeMailbox()) {
    graph = ObjectGraph(core: core)
    self.mailbox = mailbox
    graph.context = self
    core.commits.add(mailbox)
  }

  var core: ContainerCore { graph.core }

  /// The container that the context reads and writes.
  public var container: ModelContainer { ModelContainer(core) }

  /// Whether there is something to save.
  public var hasChanges: Bool { unsaved.hasChanges }

  /// The objects that the next save inserts.
  public var insertedModelsArray: [any PersistentModel] { unsaved.inserted.objects }
  /// The stored objects whose edits the next save writes.
  public var changedModelsArray: [any PersistentModel] { unsaved.edited.objects }
  /// The stored objects that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] { unsaved.deleted.objects }

  /// Registers a new object, and all new objects that it reaches through relationships, to be stored by the next save.
  ///
  /// Inserting an object again changes nothing. An object whose deletion is not saved yet is kept after all; one that was
  /// deleted becomes a new row with the values that it had. What it has in external storage must have been read or set by then.
  /// Otherwise, and for an object that is unsaved in another context, or of another container, the next save throws, until
  /// `rollback()`.
  public func insert<Model: PersistentModel>(_ model: Model) {
    insertAny(model)
  }

  func insertAny(_ model: any PersistentModel) {
    let backing = model._$backing
    switch backing.state {
    case .unmanaged:
      enlist(model)
    case .gone:
      let loss = backing.revive(in: type(of: model).modelTable)
      unsaved.refusal = unsaved.refusal ?? loss
      enlist(model)
    case .deleted where backing.graph === graph:
      backing.state = .stored
      unsaved.deleted.remove(model)
      if backing.hasEdits { unsaved.edited.insert(model) }
      // Whom it was linked to may have changed meanwhile.
      unsaved.touched.insert(model)
    case .inserted, .stored, .deleted:
      if backing.graph === graph || backing.state != .inserted && backing.graph?.core === core { return }
      refuse(model)
    }
  }

  /// Has the next save throw that an object is not this context's.
  private func refuse(_ model: any PersistentModel) {
    unsaved.refusal = .foreignObject(
      entity: type(of: model).modelTable.name, identifier: "\(model.persistentModelID)")
  }

  /// Registers a new object and all that it reaches. These are kept in a list instead of following them by calls, because a chain
  /// of objects may be longer than the stack is deep.
  private func enlist(_ model: any PersistentModel) {
    toEnlist.append(model)
    if isEnlisting { return }
    announcing {
      isEnlisting = true
      defer { isEnlisting = false }
      while let next = toEnlist.popLast() {
        guard next._$backing.state == .unmanaged else { continue }
        let waiting = toEnlist.count
        enlistAlone(next)
        toEnlist += next._$backing.relatedObjects.filter { $0._$backing.state == .unmanaged }
        // In the order in which they are reached.
        toEnlist[waiting...].reverse()
      }
    }
  }

  private func enlistAlone(_ model: any PersistentModel) {
    let backing = model._$backing
    backing.graph = graph
    backing.state = .inserted
    // A class that the container does not know is reported by the save, since inserting cannot throw.
    backing.binding = try? core.binding(of: type(of: model))
    unsaved.inserted.insert(model)
    noteUnsaved()
    if backing.isForgotten {
      backing.isForgotten = false
      graph.mayHideMembers = true
      backing.unconnected = backing.slots.indices.filter { !backing.relatedObjects(in: $0).isEmpty }
    }
    connect(model)
  }

  private func connect<Model: PersistentModel>(_ model: Model) {
    model._$backing.connectInitialRelationships(of: model)
  }

  /// Marks an object to be deleted by the next save. A new object that was never saved is forgotten at once.
  ///
  /// An object of another context of the container is deleted by way of this context's own object of the same row. One that is
  /// unsaved in another context, or of another container, makes the next save throw, until `rollback()`.
  public func delete<Model: PersistentModel>(_ model: Model) {
    let backing = model._$backing
    if backing.graph !== graph {
      if let row = backing.storedRow, backing.graph?.core === core,
        let own = graph.object(row, at: backing.binding?.entity.id)
      {
        delete(own)
      } else if backing.graph != nil, backing.state != .gone {
        refuse(model)
      }
      return
    }
    switch backing.state {
    case .inserted:
      unsaved.inserted.remove(model)
      backing.state = .gone
      graph.mayHideMembers = true
    case .stored:
      backing.state = .deleted
      unsaved.edited.remove(model)
      unsaved.deleted.insert(model)
      graph.mayHideMembers = true
      noteUnsaved()
    case .unmanaged, .deleted, .gone:
      break
    }
  }

  /// Forgets everything that has not been saved: edited objects read as stored, deleted ones are back, new ones belong to
  /// no context.
  public func rollback() {
    for model in unsaved.inserted.objects {
      let backing = model._$backing
      backing.state = .unmanaged
      backing.graph = nil
      backing.binding = nil
      backing.isForgotten = true
    }
    let changed = unsaved.edited.objects + unsaved.touched.objects + unsaved.deleted.objects
    for model in unsaved.deleted.objects { model._$backing.state = .stored }
    forgetChanges()
    announcing {
      for model in changed {
        let slots = model._$backing.slots
        model._$backing.slots = []
        for property in type(of: model).modelTable.properties
        where property.slot < slots.count && !slots[property.slot].content.isAbsent {
          announce(property, of: model)
        }
      }
      reload(changed)
      catchUp()
    }
  }

  func forgetChanges() {
    unsaved = Unsaved()
    graph.forgetFailure()
    graph.forgetMembers()
    liveQueries?.noteSettled()
  }

  // MARK: What objects tell their context

  func noteEdit(of model: any PersistentModel) {
    guard model._$backing.state == .stored else { return }
    unsaved.edited.insert(model)
    noteUnsaved()
  }

  func noteTouch(of model: any PersistentModel) {
    if model._$backing.state == .stored { unsaved.touched.insert(model) }
  }
}

extension ModelContext: Equatable {
  /// Two references are equal when they are one context.
  public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }
}

extension ModelBacking {
  /// The objects that the slots hold: those assigned since the last save.
  var relatedObjects: [any PersistentModel] {
    slots.indices.flatMap(relatedObjects(in:))
  }

  func relatedObjects(in slot: Int) -> [any PersistentModel] {
    switch content(of: slot) {
    case .toOne(let related): related.map { [$0] } ?? []
    case .toMany(let membership): membership.relatedObjects(ofStored: state == .stored || state == .deleted)
    case .absent, .attribute, .composite: []
    }
  }
}
