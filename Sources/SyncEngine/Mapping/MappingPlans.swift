import Records
import Synchronization

/// The mapping plans of a store, made when they are first needed. One for each store.
package final class MappingPlans: Sendable {
  private struct Key: Hashable {
    var entity: EntityID
    var convention: MappingConvention
  }

  private let reader: @Sendable (_ entity: String, _ attribute: String) -> AttributeReader?
  private let plans = Mutex<[Key: MappingPlan]>([:])

  /// - Parameter reader: What an attribute's Swift type accepts, for attributes whose stored type doesn't say it all.
  package init(
    reader: @escaping @Sendable (_ entity: String, _ attribute: String) -> AttributeReader? = { _, _ in nil }
  ) {
    self.reader = reader
  }

  /// The plan of an entity of the store's catalog.
  func plan(for entity: Entity, in catalog: Catalog, convention: MappingConvention) -> MappingPlan {
    plans.withLock { plans in
      let key = Key(entity: entity.id, convention: convention)
      if let plan = plans[key] { return plan }
      let plan = MappingPlan(entity, in: catalog, convention: convention, reader: reader)
      plans[key] = plan
      return plan
    }
  }
}
