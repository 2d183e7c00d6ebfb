import Foundation

/// Why a sync was not begun: what it is asked to do does not fit the model.
public enum EntitySyncError: Error, Sendable, Hashable, LocalizedError, CustomStringConvertible {
  /// The model has no entity with the name.
  case unknownEntity(String)
  /// Objects of the entity can't be told apart, so that none of a payload could be found again.
  case noPrimaryKey(entity: String)
  /// There are only objects of the entity's sub-entities, and a payload doesn't say of which.
  case abstractEntity(String)
  /// Nothing leads from objects of the entity to their parent.
  case noParentRelationship(entity: String, parent: String)
  /// Several relationships lead from objects of the entity to the parent, and it was not said which is meant.
  case ambiguousParentRelationship(entity: String, parent: String, candidates: [String])
  /// The relationship that was named leads to several objects, or to objects of another entity, or does not exist.
  case unsuitableParentRelationship(entity: String, relationship: String, parent: String)

  /// The parent is an object of another stack.
  case foreignParent(entity: String, parent: String)
  /// The parent has not been saved yet.
  case unsavedParent(entity: String, parent: String)

  /// The error as a sentence.
  public var errorDescription: String? { description }

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unknownEntity(let name): "The model has no entity \(name)."
    case .noPrimaryKey(let entity):
      "\(entity) can't be synced: no attribute is its primary key. Call one id or remoteID, or mark it with sync.isPrimaryKey."
    case .abstractEntity(let name):
      "\(name) can't be synced: it is abstract, and a payload does not say of which of its sub-entities an object is."
    case .noParentRelationship(let entity, let parent):
      "\(entity) can't be synced for a \(parent): no to-one relationship leads from it there."
    case .ambiguousParentRelationship(let entity, let parent, let candidates):
      "\(entity) can't be synced for a \(parent) without the name of the relationship that is meant: it has "
        + candidates.joined(separator: ", ") + "."
    case .foreignParent(let entity, let parent):
      "\(entity) can't be synced for this \(parent): it is an object of another store."
    case .unsavedParent(let entity, let parent):
      "\(entity) can't be synced for this \(parent): it has not been saved yet."
    case .unsuitableParentRelationship(let entity, let relationship, let parent):
      "\(entity) can't be synced for a \(parent) by \(relationship): that is no to-one relationship that leads there."
    }
  }
}
