import Foundation
import Records

/// Which changes can matter to a live query: found out once, from what it asks for.
struct LiveInterest {
  let entity: Entity
  /// The properties of a row that decide whether it is the query's.
  private(set) var members = PropertySet()
  /// The properties of a row that decide where it comes.
  private(set) var order = PropertySet()
  /// The ways to other rows that matter.
  private(set) var paths: [LivePath] = []
  /// The entities of which every change may matter, because Swift code reads them that tells nobody what it reads.
  private(set) var anything: Set<EntityID> = []

  /// What decides about rows: a change of nothing else leaves them where they are.
  var deciding: PropertySet { members.union(order) }

  /// - Parameters:
  ///   - shape: what the query asks for.
  ///   - query: the same in the store's terms.
  ///   - evaluated: the parts of its predicate that are evaluated in Swift.
  ///   - isSortedByStore: whether the query's order says all that the shape's does.
  ///   - core: the store.
  /// - Throws: `SyncReadError` for a path of `refreshOn` that leads along no relationship.
  init<Model: PersistentModel>(
    _ shape: SyncQueryShape<Model>, _ query: RecordQuery, evaluated: [any PredicateExpression<Bool>],
    isSortedByStore: Bool, in core: ContainerCore
  ) throws {
    entity = query.entity
    let catalog = core.store.catalog
    let condition = query.conditionDependencies(in: catalog)
    members = condition.own
    for path in condition.paths { paths[path.hops].members.formUnion(path.properties) }
    let order = query.orderDependencies(in: catalog)
    self.order = order.own
    for path in order.paths { paths[path.hops].order.formUnion(path.properties) }
    let binding = try core.binding(of: Model.self)
    if !evaluated.isEmpty {
      members = .everything
      var reads = ModelReads(in: core)
      for expression in evaluated { reads.add(expression) }
      anything.formUnion(reads.entities)
    }
    if !isSortedByStore { addOrder(shape.sortBy, binding, in: core) }
    addShown(binding, in: core)
    for keyPath in shape.refreshOn {
      let (hops, properties) = try binding.path(along: keyPath, in: core)
      paths[hops].shown.formUnion(properties)
    }
    anything.remove(entity.id)
  }

  /// An order that takes objects: by a property of the row, or by whatever Swift code reads.
  private mutating func addOrder<Model: PersistentModel>(
    _ descriptors: [SortDescriptor<Model>], _ binding: ModelBinding, in core: ContainerCore
  ) {
    for descriptor in descriptors {
      if let property = descriptor.keyPath.flatMap({ binding.table.property(at: $0) }), property.attribute != nil,
        let index = binding.propertyIndex(of: property)
      {
        order.insert(index)
      } else {
        order = .everything
        var reads = ModelReads(in: core)
        reads.addReachable(from: entity)
        anything.formUnion(reads.entities)
      }
    }
  }

  /// What is related to a row is shown with it, as the reference has it: each object that a relationship leads to.
  private mutating func addShown(_ binding: ModelBinding, in core: ContainerCore) {
    for property in binding.table.properties {
      guard let relationship = binding.relationship(of: property.slot) else { continue }
      var shown = PropertySet.everything
      // The way back leads to the row's siblings, which would all count as changed when one comes or goes.
      if let back = core.store.catalog[relationship.destination]?.relationships.first(where: {
        $0.id == relationship.inverse
      }) {
        shown.subtract(PropertySet([back.propertyIndex]))
      }
      paths[[relationship]].shown = shown
    }
  }

  /// A scope by objects whose identity no attribute holds reads all of them.
  mutating func addScan(of entity: EntityID) {
    if entity == self.entity.id { members = .everything } else { anything.insert(entity) }
  }

  /// A relationship decides which rows are the query's.
  mutating func addMembership(by relationship: Relationship) {
    members.insert(relationship.propertyIndex)
  }
}

extension ModelBinding {
  /// The number of a property in a `PropertySet`.
  func propertyIndex(of property: ModelProperty) -> Int? {
    if let relationship = relationship(of: property.slot) { return relationship.propertyIndex }
    return entity.attributes.first { $0.name == property.name }?.propertyIndex
  }
}
