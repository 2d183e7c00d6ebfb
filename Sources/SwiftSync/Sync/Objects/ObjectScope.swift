import Foundation
import SyncEngine

/// The rows of one parent, in the context of a sync (contract, section 8).
struct ObjectScope<Model: SyncUpdatableModel> {
  private let context: ModelContext
  private let relationship: ModelProperty
  private let parent: any PersistentModel

  /// - Throws: `SyncError.invalidPayload` if the context does not have the parent: it is unsaved elsewhere, or gone.
  init(_ reference: ObjectSyncRequest.Parent, in context: ModelContext) throws {
    parent = context.model(for: reference.identifier)
    guard !parent.isDeleted else {
      throw SyncError.invalidPayload(
        model: Model.modelTable.name,
        reason: "the parent \(reference.identifier) must be resolved in the context used for the sync: save it first")
    }
    self.context = context
    relationship = reference.relationship
  }

  /// The objects that lead to the parent, oldest first.
  func members() throws -> [Model] {
    guard let keyPath = relationship.keyPath as? PartialKeyPath<Model>,
      let predicate = ModelPredicates.destination(of: keyPath, is: parent.persistentModelID)
    else { return [] }
    return try context.fetch(FetchDescriptor(predicate: predicate)).sorted(by: PersistedOrder.precedes)
  }

  /// Leads an object to the parent, and keeps its payload from leading it elsewhere (B-16).
  func hold(_ model: Model, in pass: ObjectPass) {
    pass.fix(relationship.keyPath, of: model)
    let backing = model._$backing
    backing.connectInitialRelationships(of: model)
    if backing.destination(of: relationship.slot) === parent { return }
    pass.noteLinks(of: model, relationship.keyPath) { backing.destination(of: relationship.slot).map { [$0] } ?? [] }
    backing.setDestination(of: relationship.slot, of: model, to: parent)
    backing.announce(relationship, of: model)
    pass.noteChange(of: model)
  }
}
