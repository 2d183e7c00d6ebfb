import Foundation
import Records
import SyncEngine

/// One sync of objects: what it has met, and what it has still to do.
final class ObjectPass {
  let context: ModelContext
  let keyStyle: KeyStyle
  let policy: UnreadableValuePolicy
  let operations: SyncRelationshipOperations
  var report = SyncReport()
  /// What was changed here and not pushed yet, by entity, once somebody has asked.
  var dirtyRows: [EntityID: ObjectDirtyRows] = [:]
  /// How many objects were deleted because they had the identity of an older one.
  var removedDuplicates = 0
  /// How many changes were noted.
  private(set) var changeCount = 0

  private var directories: [ObjectIdentifier: AnyObject] = [:]
  private var visits: [ObjectIdentifier: Int] = [:]
  /// The objects that payload objects stand for, in the order in which they were met.
  private(set) var visited: [Visit] = []
  /// Objects whose relationships have still to be applied.
  private var nested: [NestedObject] = []
  private var links: [LinkKey: PostponedLink] = [:]
  private var linkCount = 0
  /// What is looked at when all objects are known.
  private var lateChecks: [() throws -> Void] = []
  private var linksBefore: Set<LinkKey> = []
  /// In the order in which they were changed first.
  private(set) var changedLinks: [ChangedLinks] = []
  /// The relationship that the sync's parent is given for, and the objects for which it is.
  private var scope: AnyKeyPath?
  private var scoped: Set<ObjectIdentifier> = []

  /// An object that the payload speaks about.
  struct Visit {
    let model: any PersistentModel
    let isNew: Bool
    var isChanged = false
  }

  struct NestedObject {
    let model: any SyncUpdatableModel
    let payload: SyncPayload
  }

  /// A relationship of which the sync has changed the links.
  struct ChangedLinks {
    let owner: any PersistentModel
    let before: Set<ObjectIdentifier>
    let now: () -> [any PersistentModel]
  }

  private struct LinkKey: Hashable {
    let owner: ObjectIdentifier
    let keyPath: AnyKeyPath
  }

  private struct PostponedLink {
    let order: Int
    /// Kept, so that its address belongs to nobody else.
    let owner: AnyObject
    let apply: () throws -> Bool
  }

  /// The JSON pointer to the payload, or to the rows in it.
  private let pointer: String
  private let isCollection: Bool

  init(
    in context: ModelContext, keyStyle: KeyStyle, operations: SyncRelationshipOperations,
    policy: UnreadableValuePolicy = .replace, isCollection: Bool = false, pointer: String = ""
  ) {
    self.context = context
    self.keyStyle = keyStyle
    self.operations = operations
    self.policy = policy
    self.isCollection = isCollection
    self.pointer = pointer
  }

  /// The JSON pointer to a payload row.
  func pointer(toRow row: Int) -> String { isCollection ? "\(pointer)/\(row)" : pointer }

  // MARK: Objects

  func directory<Model: SyncModelable>(_ type: Model.Type) -> IdentityDirectory<Model> {
    if let known = directories[ObjectIdentifier(type)] as? IdentityDirectory<Model> { return known }
    let made = IdentityDirectory<Model>(in: context)
    directories[ObjectIdentifier(type)] = made
    return made
  }

  func find<Model: SyncModelable>(_ type: Model.Type, _ identity: Model.SyncID) throws -> Model? {
    try directory(type).find(identity)
  }

  /// Makes an object of a payload and inserts it. `prepare` comes before its relationships.
  func make<Model: SyncUpdatableModel>(
    _ type: Model.Type, of payload: SyncPayload, _ identity: Model.SyncID?
  ) throws -> Model {
    let place = named(payload, type, identity)
    let model = try Model.make(from: place)
    context.insert(model)
    if let identity { directory(type).register(model, identity) }
    visit(model, isNew: true)
    if operations.includesRelationships(ofNewRow: true) { nested.append(NestedObject(model: model, payload: place)) }
    return model
  }

  /// Changes a known object by a nested one.
  ///
  /// - Returns: Whether an attribute has changed.
  func update<Model: SyncUpdatableModel>(
    _ model: Model, by payload: SyncPayload, operations: SyncRelationshipOperations
  ) throws -> Bool {
    let payload = named(payload, Model.self, model[keyPath: Model.syncIdentity])
    visit(model, isNew: false)
    if try isDirty(model) { return false }
    let isChanged = try operations.contains(.update) && model.apply(payload)
    if isChanged { noteChange(of: model) }
    if operations.includesRelationships(ofNewRow: false) {
      nested.append(NestedObject(model: model, payload: payload))
    }
    return isChanged
  }

  /// The payload with the row that it is about, for the report.
  func named<Model: SyncModelable>(_ payload: SyncPayload, _ type: Model.Type, _ identity: Model.SyncID?) -> SyncPayload
  {
    guard var place = payload.place else { return payload }
    place.entity = Model.modelTable.name
    place.identity = identity.map { "\($0)" } ?? ""
    return SyncPayload(values: payload.values, keyStyle: payload.keyStyle, place: place)
  }

  // MARK: What happened to them

  func visit(_ model: any PersistentModel, isNew: Bool) {
    guard visits[ObjectIdentifier(model)] == nil else { return }
    visits[ObjectIdentifier(model)] = visited.count
    visited.append(Visit(model: model, isNew: isNew))
  }

  func hasVisited(_ model: any PersistentModel) -> Bool { visits[ObjectIdentifier(model)] != nil }

  func noteChange(of model: any PersistentModel) {
    changeCount += 1
    if let position = visits[ObjectIdentifier(model)] { visited[position].isChanged = true }
  }

  // MARK: Relationships

  /// The objects whose relationships are to be applied next: those that were met since the last call.
  func takeNested() -> [NestedObject] {
    defer { nested = [] }
    return nested
  }

  /// Applies the relationships of nested objects as far as that can be done without suspending: those of mapped models.
  func applyMappedRelationships() throws -> Bool {
    var isChanged = false
    while !nested.isEmpty {
      for object in takeNested() {
        guard let model = object.model as? any SyncMappedModel else { continue }
        isChanged =
          try model.syncApplyGeneratedRelationships(object.payload, in: context, operations: operations) || isChanged
      }
    }
    return isChanged
  }

  /// Has a link applied at the end of the pass, in place of what was to be done for the same relationship.
  func postponeLink(of owner: AnyObject, _ keyPath: AnyKeyPath, _ apply: @escaping () throws -> Bool) {
    linkCount += 1
    links[LinkKey(owner: ObjectIdentifier(owner), keyPath: keyPath)] =
      PostponedLink(order: linkCount, owner: owner, apply: apply)
  }

  /// A later object for the same row says something else.
  func forgetLink(of owner: AnyObject, _ keyPath: AnyKeyPath) {
    if links.isEmpty { return }
    links[LinkKey(owner: ObjectIdentifier(owner), keyPath: keyPath)] = nil
  }

  /// Applies what was postponed, in order.
  func finishLinks() throws -> Bool {
    var isChanged = false
    let postponed = links.values.sorted { $0.order < $1.order }
    links = [:]
    for link in postponed { isChanged = try link.apply() || isChanged }
    for check in lateChecks { try check() }
    lateChecks = []
    return isChanged
  }

  /// Has something looked at when all objects are known.
  func checkLate(_ check: @escaping () throws -> Void) {
    lateChecks.append(check)
  }

  /// Remembers what a relationship led to before the sync changes it.
  func noteLinks(
    of owner: any PersistentModel, _ keyPath: AnyKeyPath, _ members: @escaping () -> [any PersistentModel]
  ) {
    let key = LinkKey(owner: ObjectIdentifier(owner), keyPath: keyPath)
    guard linksBefore.insert(key).inserted else { return }
    changedLinks.append(
      ChangedLinks(owner: owner, before: Set(members().map { ObjectIdentifier($0) }), now: members))
  }

  /// Lets go of what is still to be done: it holds the pass.
  func end() {
    links = [:]
    lateChecks = []
    nested = []
  }

  // MARK: Scope

  /// Fixes a relationship of an object: the sync was given its parent.
  func fix(_ keyPath: AnyKeyPath, of owner: AnyObject) {
    scope = keyPath
    scoped.insert(ObjectIdentifier(owner))
  }

  func isScoped(_ owner: AnyObject, by keyPath: AnyKeyPath) -> Bool {
    scope == keyPath && scoped.contains(ObjectIdentifier(owner))
  }
}
