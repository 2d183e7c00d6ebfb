import Foundation
import SyncEngine

/// Finds the objects that payload rows mean, and makes those that are not there.
struct ObjectMatching<Model: SyncUpdatableModel> {
  private let pass: ObjectPass
  private let isCollection: Bool
  private let scope: ObjectScope<Model>?
  private let isIdentityGlobal = Model.modelTable.isIdentityGlobal
  /// The objects that rows may mean, each the oldest with its identity, and those that rows have meant.
  private var byIdentity: [Model.SyncID: Model] = [:]
  /// Objects with the identity of an older one.
  private var duplicates: [Model.SyncID: [Model]] = [:]
  /// Whether rows mean objects that were deleted here and stay so.
  private(set) var hasDeletedRows = false
  /// The objects that are deleted if no row means them.
  let candidates: [Model]

  /// A payload row and the object that it means.
  struct Row {
    let payload: SyncPayload
    let model: Model
    let isNew: Bool
    /// Whether the object stays as it is, because it was changed here and not pushed yet.
    var isKept = false
  }

  init(_ pass: ObjectPass, isCollection: Bool, scope: ObjectScope<Model>?) throws {
    self.pass = pass
    self.isCollection = isCollection
    self.scope = scope
    let objects =
      if let scope { try scope.members() } else { isCollection ? try pass.directory(Model.self).readTable() : [] }
    candidates = isCollection ? objects : []
    for object in objects {
      let identity = object[keyPath: Model.syncIdentity]
      if byIdentity[identity] == nil {
        byIdentity[identity] = object
      } else {
        duplicates[identity, default: []].append(object)
      }
    }
  }

  /// Makes or changes the object of a row: attributes, and the parent.
  ///
  /// - Returns: Nil if the row has no identity, which the report lists, or means an object that was deleted here and stays so.
  mutating func take(_ payload: SyncPayload) throws -> Row? {
    guard let identity = pass.directory(Model.self).identity(in: payload) else {
      pass.named(payload, Model.self, nil).place?.noteSkipped()
      return nil
    }
    removeDuplicates(of: identity)
    let payload = pass.named(payload, Model.self, identity)
    if let known = try known(identity) {
      byIdentity[identity] = known
      pass.visit(known, isNew: false)
      // A single item is how an application adopts the server's version.
      if isCollection, try pass.isDirty(known) {
        return Row(payload: payload, model: known, isNew: false, isKept: true)
      }
      scope?.hold(known, in: pass)
      if try known.apply(payload) { pass.noteChange(of: known) }
      return Row(payload: payload, model: known, isNew: false)
    }
    if isCollection, try pass.wasDeletedHere(identity, Model.self) {
      hasDeletedRows = true
      return nil
    }
    let made = try Model.make(from: payload)
    byIdentity[identity] = made
    pass.visit(made, isNew: true)
    scope?.hold(made, in: pass)
    pass.context.insert(made)
    pass.directory(Model.self).register(made, identity)
    return Row(payload: payload, model: made, isNew: true)
  }

  /// The object that has the identity already.
  private func known(_ identity: Model.SyncID) throws -> Model? {
    if let known = byIdentity[identity], !known.isDeleted { return known }
    // Among the rows of one parent the identity means one of these, unless it means one row in the whole store.
    if scope != nil, !isIdentityGlobal { return nil }
    return try pass.find(Model.self, identity)
  }

  private mutating func removeDuplicates(of identity: Model.SyncID) {
    guard isCollection, let objects = duplicates.removeValue(forKey: identity) else { return }
    for object in objects { pass.context.delete(object) }
    pass.removedDuplicates += objects.count
  }
}
