import Contexts
import Records

/// The objects that stand for rows in one context, and how they find each other.
///
/// Objects hold their graph and the graph holds nothing: so an object goes on reading its relationships when its context
/// is gone, and a context that is dropped takes its unsaved edits with it.
final class ObjectGraph {
  let core: ContainerCore
  /// The context, as long as it is there.
  weak var context: ModelContext?
  let registered = IdentityMap()
  /// Why a relationship could not be read, an object not be brought up to date, or an edit not be made. A property cannot throw:
  /// it reads as empty, or as it was, and the context's next fetch or save throws this.
  var failure: Failure?
  private var failureCount = 0

  /// The snapshot that is being read. What a predicate reads through relationships is of the same moment as the rows that it
  /// judges.
  private var snapshot: RecordSnapshot?

  private let observers = ObserverProbe()
  /// Whether what is read now is followed by `withObservationTracking`, so that somebody is to be told when it changes.
  var isFollowed: Bool { observers.areFollowing }

  /// Whether an object that lists of members may have is deleted, or is to be.
  var mayHideMembers = false {
    didSet { if mayHideMembers { hidingMark = HidingMark() } }
  }
  /// Another one each time that is noted. A list of which all members are there stays so until then.
  private(set) var hidingMark = HidingMark()

  /// A moment in the life of a graph, different from all those of other graphs.
  final class HidingMark {}

  /// An error that is still to be thrown.
  struct Failure {
    /// Different from all others of the graph.
    let number: Int
    let error: any Error
  }

  init(core: ContainerCore) {
    self.core = core
  }

  /// Throws, once, why something could not be read since the last call.
  func throwFailure() throws {
    guard let failure else { return }
    self.failure = nil
    throw failure.error
  }

  func forgetFailure() {
    failure = nil
  }

  /// Keeps an error for `throwFailure`, unless there is one already.
  func note(_ error: any Error) {
    if failure != nil { return }
    failureCount += 1
    failure = Failure(number: failureCount, error: error)
  }

  /// Whether a snapshot is being read.
  var isReading: Bool { snapshot != nil }

  /// Runs a closure on a snapshot: the one that is being read, or a new one.
  @inline(__always)
  func read<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    if let snapshot { return try body(snapshot) }
    return try readAnew(body)
  }

  /// Runs a closure on a new snapshot, also while an older one is being read: what a save has just written is in no older one.
  @inline(__always)
  func readAnew<Result>(_ body: (RecordSnapshot) throws -> Result) throws -> Result {
    try core.store.read { opened in
      try reading(in: opened) { try body(opened) }
    }
  }

  /// Has objects read their relationships in a snapshot that somebody has opened, for as long as a closure runs.
  @inline(__always)
  func reading<Result>(in opened: RecordSnapshot, _ body: () throws -> Result) rethrows -> Result {
    let older = snapshot
    snapshot = opened
    defer { snapshot = older }
    return try body()
  }

  /// Reads where nothing can be thrown: keeps the first error for `throwFailure`.
  @discardableResult
  func reading<Result>(_ body: () throws -> Result?) -> Result? {
    do {
      return try body()
    } catch {
      note(error)
      return nil
    }
  }

  /// The object of a row: the registered one, or a new one. Nil when the row is gone or cannot be read.
  func object(_ row: RowNumber, at entity: EntityID?) -> (any PersistentModel)? {
    guard let entity, let binding = core.binding(of: entity) else { return nil }
    if let known = registered[row, entity] { return known }
    return reading {
      try read { snapshot in
        try snapshot.withRecord(row, of: binding.entity) { try make(row, $0, binding, in: snapshot) }
      }
    }
  }

  /// The stored members of a to-many relationship, in order.
  func members<Related: PersistentModel>(
    of slot: Int, owner: RowNumber, in binding: ModelBinding, as type: Related.Type
  ) -> [Related] {
    guard let relationship = binding.relationship(of: slot),
      let destination = core.binding(of: relationship.destination),
      let place = MemberPlace(of: slot, owner: owner, in: binding)
    else { return [] }
    if let known = context?.readMembers, known.place == place, let typed = known.list as? TypedMembers<Related> {
      return typed.models
    }
    let members: [Related]? = reading {
      try read { snapshot in
        try snapshot.members(of: relationship, owner: owner).compactMap { row in
          if let known = registered[row, destination.entity.id] { return known as? Related }
          let made = reading {
            try snapshot.withRecord(row, of: destination.entity) { try make(row, $0, destination, in: snapshot) }
          }
          return made as? Related
        }
      }
    }
    guard let members else { return [] }
    context?.readMembers = ReadMembers(place: place, list: TypedMembers(models: members))
    return members
  }

  /// What was read may have changed, and nothing is hidden any more.
  func forgetMembers() {
    context?.readMembers = nil
    mayHideMembers = false
  }

  /// Registers a new object for a row.
  /// - Throws: `ModelError.unreadableValue`, `RecordError.damagedContent`.
  func make(
    _ row: RowNumber, _ record: RecordView, _ binding: ModelBinding, in snapshot: RecordSnapshot
  ) throws -> any PersistentModel {
    let record = try binding.record(record, of: row, in: snapshot)
    let model = binding.table.type.init(_$backing: .row(row, record, binding, self))
    registered.insert(model, row, binding.entity.id)
    return model
  }
}
