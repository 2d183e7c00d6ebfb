import Foundation

/// What is wrong with where a stack is to be.
public enum DataStackError: Error, Sendable, Hashable {
  /// A store's folder is a file URL.
  case notAFileURL(URL)
  /// The store has objects of an entity that the model has elsewhere in its tree of entities: it has a parent that it did not have, or
  /// not the one that it had. They are stored with that one's, and nothing takes them there.
  case movedEntity(String, from: String, to: String)
  /// The store has objects of a sub-entity that the model does not have, and could not tell them from those of its ancestor any more.
  case removedEntity(String, ancestor: String)
  /// The store has objects of an entity that is abstract in the model.
  case abstractEntity(String)
  /// The store has values of a property that another entity of the tree declares in the model, and nothing takes them there.
  case movedProperty(String, entity: String, from: String)
  /// The store that the application brings along can't be copied.
  case unreadablePreloadedStore(path: String, reason: String)
}

extension DataStackError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .notAFileURL(let url): "\(url) is no file URL, and a store is a folder."
    case .movedEntity(let entity, let from, let to):
      "The store has objects of \(entity) among those of \(from), and the model has them among those of \(to): "
        + "an entity that has objects can't be given another place in the tree of entities."
    case .removedEntity(let entity, let ancestor):
      "The store has objects of \(entity), which the model does not have, among those of \(ancestor): delete them first, or "
        + "give the entity that they are to be of the renaming identifier \(entity)."
    case .abstractEntity(let entity):
      "The store has objects of \(entity), which is abstract in the model."
    case .movedProperty(let property, let entity, let from):
      "The store has values of \(property) for \(from), and in the model \(entity) declares it: a property can't be moved "
        + "to another entity of the tree while there are objects."
    case .unreadablePreloadedStore(let path, let reason): "The preloaded store \(path) cannot be copied: \(reason)"
    }
  }
}
