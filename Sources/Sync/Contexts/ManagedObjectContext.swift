import Contexts
import Records
import Synchronization

/// A unit of work: the objects that an actor reads and edits, and what `save()` will write.
///
/// Edits stay in the context until `save()`, which writes them in one atomic transaction; other contexts don't see them before. What
/// others commit (contexts and syncs) is taken in whenever the context reads or saves, and in the main context also by itself.
///
/// A context belongs to the actor that made it: `DataStack.mainContext` to the main actor, any other to the code that it was given to.
/// It keeps objects with unsaved edits alive; others live as long as somebody refers to them.
public final class ManagedObjectContext {
  /// Where the context's store is, and how it is opened.
  let source: StoreSource
  /// Who is recorded as the author of this context's saves in the store's history; nil for the application's own edits.
  public var author: String?
  /// Whether a save forgets what it would write.
  let isDisposable: Bool

  var unsaved = Unsaved()
  var registered = IdentityMap()
  let mailbox: ChangeMailbox
  private var opened: ObjectStore?
  /// The snapshot that is being read.
  private var snapshot: RecordSnapshot?
  /// What could not be thrown where it happened. The next save or fetch throws it.
  private var failure: (any Error)?
  /// The properties that observers are still to be told of.
  var announcements: [(property: EntityBinding.Property, object: ManagedObject)] = []
  private var announcementDepth = 0
  private let probe = ObserverProbe()

  init(_ source: StoreSource, mailbox: ChangeMailbox = ChangeMailbox(), isDisposable: Bool = false) {
    self.source = source
    self.mailbox = mailbox
    self.isDisposable = isDisposable
  }

  /// The opened store.
  /// - Throws: What opening it throws.
  func store() throws -> ObjectStore {
    if let opened { return opened }
    let store = try source.open()
    store.commits.add(mailbox)
    opened = store
    return store
  }

  // MARK: State

  /// Whether there is something to save.
  public var hasChanges: Bool { !unsaved.isEmpty }
  /// The objects that the next save inserts, in the order in which they were made.
  public var insertedObjects: [ManagedObject] { unsaved.inserted.objects }
  /// The stored objects whose edits the next save writes.
  public var updatedObjects: [ManagedObject] { unsaved.updated.objects }
  /// The stored objects that the next save deletes.
  public var deletedObjects: [ManagedObject] { unsaved.deleted.objects }
  /// All objects that the context has: those that somebody refers to, and those with unsaved edits.
  public var registeredObjects: [ManagedObject] {
    registered.objects.map(\.object).sorted { ($0.entity.name, $0.row) < ($1.entity.name, $1.row) } + insertedObjects
  }

  /// Whether somebody follows what is read now.
  var isFollowed: Bool { probe.areFollowing }

  /// Takes in that an object was edited.
  func noteEdit(of object: ManagedObject) {
    guard object.state == .stored, object.hasEdits else { return }
    unsaved.updated.insert(object)
  }

  /// Keeps an error for the next save or fetch, unless there is one already.
  func note(_ error: any Error) {
    failure = failure ?? error
  }

  /// Throws, once, what could not be thrown where it happened.
  func throwFailure() throws {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  func forgetFailure() { failure = nil }

  // MARK: Reading

  /// Whether a snapshot is being read.
  var isReading: Bool { snapshot != nil }

  /// Runs a closure on a snapshot: the one that is being read, or a new one.
  func read<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    if let snapshot { return try body(snapshot) }
    return try readAnew(body)
  }

  /// Runs a closure on a new snapshot.
  func readAnew<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    let older = snapshot
    defer { snapshot = older }
    return try store().records.read { snapshot in
      self.snapshot = snapshot
      return try body(snapshot)
    }
  }

  // MARK: Announcing

  /// Runs a closure that changes objects, and tells their observers afterwards: they run code of the application, which must not find
  /// half of the objects changed.
  func announcing<Result>(_ body: () throws -> Result) rethrows -> Result {
    announcementDepth += 1
    defer {
      announcementDepth -= 1
      if announcementDepth == 0 {
        let announcements = announcements
        self.announcements = []
        for (property, object) in announcements { object.observers.announce(property, of: object) }
      }
    }
    return try body()
  }

  func announce(_ properties: [EntityBinding.Property], of object: ManagedObject) {
    for property in properties { announcements.append((property, object)) }
  }

  func announceAll(of object: ManagedObject) {
    announce(object.binding.attributes.indices.map { .attribute($0) }, of: object)
    announce(object.binding.relationships.indices.map { .relationship($0) }, of: object)
  }
}

extension ManagedObjectContext: Equatable {
  /// Two references are equal when they are one context.
  public static func == (left: ManagedObjectContext, right: ManagedObjectContext) -> Bool { left === right }
}
