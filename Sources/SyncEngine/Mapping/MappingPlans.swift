import Records
import Synchronization

/// The mapping plans of a store, made when they are first needed. One for each store.
package final class MappingPlans: Sendable {
  private struct Key: Hashable {
    var entity: String
    var convention: MappingConvention
  }

  private let rules: any MappingRules
  private let plans = Mutex<[Key: MappingPlan]>([:])

  package init(rules: any MappingRules) {
    self.rules = rules
  }

  /// Plans by the names of properties.
  ///
  /// - Parameter reader: What an attribute's Swift type accepts, for attributes whose stored type doesn't say it all.
  package convenience init(
    reader: @escaping @Sendable (_ entity: String, _ attribute: String) -> AttributeReader? = { _, _ in nil }
  ) {
    self.init(rules: StyledRules(reader: reader))
  }

  /// The plan of an entity; nil if there is none with this name.
  func plan(for entity: String, in catalog: Catalog, convention: MappingConvention) -> MappingPlan? {
    plans.withLock { plans in
      let key = Key(entity: entity, convention: convention)
      if let plan = plans[key] { return plan }
      let plan = rules.mapping(of: entity, in: catalog, convention)
        .flatMap { MappingPlan($0, in: catalog, convention: convention) }
      plans[key] = plan
      return plan
    }
  }
}
