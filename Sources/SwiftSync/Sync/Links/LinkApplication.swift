import Foundation
import SyncEngine

/// Applies what one payload object says to relationships of one object (contract, section 10).
///
/// Within a sync it works on that sync's objects. By itself it makes a pass of its own, so that the relationship helpers do the
/// same wherever they are called.
struct LinkApplication {
  let payload: SyncPayload
  let operations: SyncRelationshipOperations
  let pass: ObjectPass
  /// The keys that lead to what is being applied.
  private(set) var steps: [String] = []
  /// Whether the pass is this application's own, and ends with it.
  private let isAlone: Bool

  init(_ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations) {
    self.operations = operations
    if payload.place != nil, let pass = payload.place?.pass {
      self.payload = payload
      self.pass = pass
      isAlone = false
    } else {
      pass = ObjectPass(in: context, keyStyle: payload.keyStyle, operations: operations)
      self.payload = SyncPayload(
        values: payload.values, keyStyle: payload.keyStyle, place: PayloadPlace(pass: pass, row: 0))
      isAlone = true
    }
  }

  /// Runs a closure that applies relationships, and afterwards what it has left for the end of the pass.
  func run(_ body: (LinkApplication) throws -> Bool) throws -> Bool {
    defer { if isAlone { pass.end() } }
    guard !operations.isEmpty else { return false }
    var isChanged = try body(self)
    if isAlone {
      isChanged = try pass.applyMappedRelationships() || isChanged
      isChanged = try pass.finishLinks() || isChanged
    }
    return isChanged
  }

  /// The application of what stands under a key.
  func at(_ key: String) -> LinkApplication {
    var result = self
    result.steps = payload.steps(to: key)
    return result
  }

  /// Whether the relationship is the one that the sync's parent is given for.
  func isFixed<Related>(_ end: RelationshipEnd<Related>) -> Bool {
    pass.isScoped(end.owner, by: end.keyPath)
  }

  /// Notes a value that changed nothing; of a list, the element at a position.
  func noteIgnored<Related>(
    _ value: Any, position: Int? = nil, at end: RelationshipEnd<Related>, _ reason: SyncReport.IgnoredReference.Reason
  ) {
    guard let property = end.property else { return }
    let steps = steps + (position.map { ["\($0)"] } ?? [])
    payload.place?.noteIgnored(value, at: steps, relationship: property.name, reason: reason)
  }

  // MARK: Changing links

  /// Null: no links.
  func clear<Related>(_ end: RelationshipEnd<Related>) -> Bool {
    guard operations.contains(.delete), end.canBeEmpty else { return false }
    pass.forgetLink(of: end.owner, end.keyPath)
    if end.members.isEmpty { return false }
    if end.holdsMembers {
      noteIgnored(NSNull(), at: end, .memberNeedsOwner)
      return false
    }
    assign([], to: end)
    return true
  }

  /// What can be said of objects that have no identity: that there are none.
  func clearOnly<Related>(_ end: RelationshipEnd<Related>, _ value: Any) -> Bool {
    let saysNone = value is NSNull || end.isToMany && PayloadConversion.list(value)?.isEmpty == true
    return saysNone && !isFixed(end) && clear(end)
  }

  /// Leads a to-one relationship to an object.
  func link<Related>(_ end: RelationshipEnd<Related>, to related: Related) -> Bool {
    guard operations.canLink else { return false }
    pass.forgetLink(of: end.owner, end.keyPath)
    if end.members.first === related { return false }
    assign([related], to: end)
    return true
  }

  /// Changes the members of a to-many relationship by what the operations allow. Their order alone is no reason to write.
  /// `value` is what stands in the payload, for the report.
  func merge<Related>(_ wanted: [Related], into end: RelationshipEnd<Related>, value: Any) -> Bool {
    let current = end.members
    let isWanted = Set(wanted.map { ObjectIdentifier($0) })
    let isCurrent = Set(current.map { ObjectIdentifier($0) })
    var kept = operations.contains(.delete) ? current.filter { isWanted.contains(ObjectIdentifier($0)) } : current
    if kept.count < current.count, end.holdsMembers {
      noteIgnored(value, at: end, .memberNeedsOwner)
      kept = current
    }
    let added = operations.canLink ? wanted.filter { !isCurrent.contains(ObjectIdentifier($0)) } : []
    if added.isEmpty, kept.count == current.count { return false }
    assign(kept + added, to: end)
    return true
  }

  private func assign<Related>(_ members: [Related], to end: RelationshipEnd<Related>) {
    if let model = end.model { pass.noteLinks(of: model, end.keyPath) { end.members } }
    end.assign(members)
    if let model = end.model { pass.noteChange(of: model) }
    if end.isToMany { (end.owner as? any SyncUpdatableModel)?.syncMarkChanged() }
  }
}
