import Foundation
import Records

/// The entities that expressions read which are evaluated in Swift.
struct ModelReads {
  private let core: ContainerCore
  private(set) var entities: Set<EntityID> = []

  init(in core: ContainerCore) {
    self.core = core
  }

  /// Notes what an expression reads: the models of the key paths in it. A computed property, or an expression of somebody else's
  /// making, may read whatever can be reached from there.
  mutating func add(_ expression: any PredicateExpression) {
    guard let node = expression as? any PredicateNode else {
      for type in core.schema.modelTypes { add(type) }
      return
    }
    if let read = node as? any ModelReading {
      if let model = read.readModel { add(model) }
      if let model = read.computingModel, let entity = core.store.catalog.entity(named: model.modelTable.name) {
        addReachable(from: entity)
      }
    }
    for part in node.parts { add(part) }
  }

  private mutating func add(_ type: any PersistentModel.Type) {
    if let entity = core.store.catalog.entity(named: type.modelTable.name) { entities.insert(entity.id) }
  }

  /// Notes an entity and all that relationships lead to from there.
  mutating func addReachable(from entity: Entity) {
    var reached: Set<EntityID> = [entity.id]
    var waiting = [entity]
    while let next = waiting.popLast() {
      for relationship in next.relationships where reached.insert(relationship.destination).inserted {
        if let destination = core.store.catalog[relationship.destination] { waiting.append(destination) }
      }
    }
    entities.formUnion(reached)
  }
}

/// An expression that reads a property.
private protocol ModelReading {
  /// The model that it is a property of.
  var readModel: (any PersistentModel.Type)? { get }
  /// The same, where the property is none that is stored.
  var computingModel: (any PersistentModel.Type)? { get }
}

extension PredicateExpressions.KeyPath: ModelReading {
  fileprivate var readModel: (any PersistentModel.Type)? { Root.Output.self as? any PersistentModel.Type }

  fileprivate var computingModel: (any PersistentModel.Type)? {
    readModel.flatMap { $0.modelTable.property(at: keyPath) == nil && !$0.isIdentifier(keyPath) ? $0 : nil }
  }
}
