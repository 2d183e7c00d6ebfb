import Records

/// One run of a sync inside of a transaction.
///
/// 1. **Resolve**: level by level of nesting, the identities of objects and in foreign keys become slots, whose rows are
///    looked up together; then it is known which objects are new rows.
/// 2. **Map**: every row that an object speaks about is written once, from its stored record and all its objects, with its
///    to-one links. Links to rows that are written later in the pass follow when those exist.
/// 3. **Link**: to-many relationships.
/// 4. **Delete** the rows that a collection doesn't list.
///
/// Whatever is thrown on the way, the transaction is not committed.
final class SyncPass {
  let transaction: RecordTransaction
  let request: SyncRequest
  let isCancelled: () -> Bool
  let target: EntityPass
  var report = SyncReport()
  /// In the order in which they were come across.
  private(set) var entities: [EntityPass]
  var deferredLinks: [DeferredLink] = []
  let memory: PayloadMemory

  private let plans: MappingPlans
  private var byEntity: [EntityID: EntityPass]

  /// A to-one link to a row that was not inserted yet when its owner was written.
  struct DeferredLink {
    let owner: EntityPass
    let slot: Int
    let relationship: RelationshipPlan
    let destination: EntityPass
    let target: Int
  }

  init(
    _ request: SyncRequest, target entity: Entity, root: PayloadValue, in transaction: RecordTransaction,
    plans: MappingPlans, isCancelled: @escaping () -> Bool
  ) throws {
    self.request = request
    self.transaction = transaction
    self.plans = plans
    self.isCancelled = isCancelled
    memory = root.memory
    let plan = plans.plan(for: entity, in: transaction.catalog, convention: request.convention)
    target = EntityPass(plan: plan, rowCountBefore: try transaction.count(of: entity))
    entities = [target]
    byEntity = [entity.id: target]
  }

  var operations: SyncRelationshipOperations { request.operations }

  func run(_ rows: [PayloadValue]) throws -> SyncReport {
    let clock = ContinuousClock()
    try checkCancellation()
    guard let identity = target.plan.identity else {
      throw invalid(target, "rows without an identity can't be synced")
    }
    report.durations.resolve = try clock.measure {
      try takeRows(rows, identity: identity)
      try resolve()
    }
    report.durations.map = try clock.measure { try mapRows() }
    report.durations.link = try clock.measure {
      try linkRows()
      try checkRequiredLinks()
    }
    report.durations.delete = try clock.measure {
      if request.form == .collection { try deleteMissingRows() }
    }
    try checkCancellation()
    try count()
    return report
  }

  func pass(for entity: Entity) throws -> EntityPass {
    if let pass = byEntity[entity.id] { return pass }
    let plan = plans.plan(for: entity, in: transaction.catalog, convention: request.convention)
    let pass = EntityPass(plan: plan, rowCountBefore: try transaction.count(of: entity))
    entities.append(pass)
    byEntity[entity.id] = pass
    return pass
  }

  func value(_ node: Int) -> PayloadValue { PayloadValue(memory: memory, index: node) }

  func checkCancellation() throws {
    if isCancelled() { throw SyncError.cancelled }
  }

  func invalid(_ pass: EntityPass, _ reason: String) -> SyncError {
    .invalidPayload(model: pass.entity.name, reason: reason)
  }

  private func count() throws {
    for pass in entities {
      var counts = SyncReport.Counts()
      pass.forEachRow { slot, _ in
        switch pass.slot(slot)?.state {
        case .created: counts.inserted += 1
        case .stored where pass.changedSlots.contains(slot): counts.updated += 1
        case .stored: counts.unchanged += 1
        default: break
        }
      }
      // Cascades delete rows that no list here has.
      counts.deleted = pass.rowCountBefore + counts.inserted - (try transaction.count(of: pass.entity))
      if pass === target || counts != SyncReport.Counts() { report.entities[pass.entity.name] = counts }
    }
  }
}
