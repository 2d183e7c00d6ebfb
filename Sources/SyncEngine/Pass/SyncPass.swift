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
  let rows: PayloadRows
  let isCancelled: () -> Bool
  let target: EntityPass
  var report = SyncReport()
  var scope = PassScope()
  /// In the order in which they were come across.
  private(set) var entities: [EntityPass]
  var deferredLinks: [DeferredLink] = []
  /// How many rows each entity had, for a pass that may delete some. Cascades reach entities that it does not come across.
  private(set) var rowCountsBefore: [(entity: Entity, count: Int)] = []
  /// How many rows cascades had deleted before the pass.
  let cascadesBefore: [EntityID: Int]
  /// Whether rows may be told by their texts, and get digests for the next time.
  let usesDigests: Bool
  var digests = PassDigests()
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
    _ request: SyncRequest, target entity: Entity, rows: PayloadRows, in transaction: RecordTransaction,
    plans: MappingPlans, usesDigests: Bool = true, isCancelled: @escaping () -> Bool
  ) throws {
    self.usesDigests = usesDigests
    self.request = request
    self.rows = rows
    self.transaction = transaction
    self.plans = plans
    self.isCancelled = isCancelled
    cascadesBefore = transaction.cascadedIdentities.mapValues(\.count)
    let plan = plans.plan(for: entity, in: transaction.catalog, convention: request.convention)
    target = EntityPass(plan: plan, rowCountBefore: try transaction.count(of: entity))
    entities = [target]
    byEntity = [entity.id: target]
  }

  var operations: SyncRelationshipOperations { request.operations }

  func run() throws -> SyncReport {
    try checkCancellation()
    guard let identity = target.plan.identity else {
      throw invalid(target, "rows without an identity can't be synced")
    }
    if rows.isCollection {
      rowCountsBefore = try transaction.catalog.entities.map { ($0, try transaction.count(of: $0)) }
    }
    try measure(.resolve, \.resolve) {
      try findKnownRows(identity)
      try takeRows(identity: identity)
      if rows.isCollection || !target.items.isEmpty { try findScope() }
      try resolve()
      try checkDigests()
    }
    try measure(.map, \.map) { try mapRows() }
    try measure(.link, \.link) {
      try linkRows()
      try holdPartner()
      try checkRequiredLinks()
    }
    setDigests()
    try measure(.delete, \.delete) { try deleteMissingRows() }
    try checkCancellation()
    try count()
    noteProgress(rows.count)
    return report
  }

  private func measure(
    _ phase: SyncPhase, _ duration: WritableKeyPath<SyncDurations, Duration>, _ body: () throws -> Void
  ) rethrows {
    let start = ContinuousClock.now
    try body()
    report.durations[keyPath: duration] = start.duration(to: .now)
    request.hooks.phase?(phase, report.durations[keyPath: duration])
  }

  func noteProgress(_ completedRows: Int) {
    request.hooks.progress?(SyncProgress(completedRows: completedRows, totalRows: rows.count))
  }

  func pass(for entity: Entity) throws -> EntityPass {
    if let pass = byEntity[entity.id] { return pass }
    let plan = plans.plan(for: entity, in: transaction.catalog, convention: request.convention)
    let pass = EntityPass(plan: plan, rowCountBefore: try transaction.count(of: entity))
    entities.append(pass)
    byEntity[entity.id] = pass
    return pass
  }

  func value(_ node: Int) -> PayloadValue { PayloadValue(memory: rows.memory, index: node) }

  func checkCancellation() throws {
    if isCancelled() { throw SyncError.cancelled }
  }

  func invalid(_ pass: EntityPass, _ reason: String) -> SyncError {
    .invalidPayload(model: pass.entity.name, reason: reason)
  }
}
