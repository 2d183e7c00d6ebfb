import Records

/// One run of a sync inside of a transaction.
///
/// The rows of the payload come in batches: all at once, or window by window of a large text. For each batch:
///
/// 1. **Resolve**: level by level of nesting, the identities of objects and in foreign keys become slots, whose rows are
///    looked up together; then it is known which objects are new rows.
/// 2. **Map**: every row that an object speaks about is written once, from its stored record and all its objects, with its
///    to-one links. Links to rows that are written later in the pass follow when those exist.
/// 3. **Link**: to-many relationships. Of those that name rows which may come later, the rest is put off.
///
/// Then what was put off is done, and the rows that a collection doesn't list are **deleted**.
///
/// Batches must not be told from all rows at once by what they bring about. Where that isn't known, `EntangledRows` is thrown,
/// and the sync is run again with all rows in one batch.
///
/// Whatever is thrown on the way, the transaction is not committed.
final class SyncPass {
  let transaction: RecordTransaction
  let request: SyncRequest
  let rows: PayloadRows
  let isCancelled: () -> Bool
  let target: EntityPass
  private let pinnedReport = Pinned(SyncReport())
  var scope: PassScope?
  /// The rows in hand.
  private(set) var batch: RowBatch
  /// In the order in which they were come across.
  private(set) var entities: [EntityPass]
  var deferred = DeferredLinks()
  /// How many rows of the payload have been written, or need not be.
  var completedRows = 0
  /// How many rows each entity had, for a pass that may delete some. Cascades reach entities that it does not come across.
  private(set) var rowCountsBefore: [(entity: Entity, count: Int)] = []
  /// How many rows cascades had deleted before the pass.
  let cascadesBefore: [EntityID: Int]
  /// Whether rows may be told by their texts, and get digests for the next time.
  let usesDigests: Bool
  var digests = PassDigests()
  var ignoredReferences = OrderedDetails<SyncReport.IgnoredReference>()
  let rules: SyncRules
  /// Rows that were left out of the list of the only owner that they can have.
  var orphans: [Orphan] = []
  private var newRowSlots: [NestedPlace: Int] = [:]
  private let plans: MappingPlans
  private var byName: [String: EntityPass]

  init(
    _ request: SyncRequest, target plan: MappingPlan, rows: PayloadRows, in transaction: RecordTransaction,
    plans: MappingPlans, usesDigests: Bool = true, isCancelled: @escaping () -> Bool
  ) throws {
    self.usesDigests = usesDigests
    self.request = request
    rules = request.rules ?? SyncRules(request.operations)
    self.rows = rows
    self.transaction = transaction
    self.plans = plans
    self.isCancelled = isCancelled
    cascadesBefore = transaction.cascadedIdentities.mapValues(\.count)
    batch = rows.noBatch
    target = try EntityPass(plan: plan, in: transaction)
    entities = [target]
    byName = [plan.name: target]
  }

  var report: SyncReport {
    @inline(__always) _read { yield pinnedReport.value }
    @inline(__always) _modify { yield &pinnedReport.value }
  }

  func run() throws -> SyncReport {
    try checkCancellation()
    guard let identity = target.plan.identity else {
      throw invalid(target, "rows without an identity can't be synced")
    }
    // Two rows of the store with one identity are made one by a pass that looks at all rows.
    if rows.isDivided, !identity.index.isUnique { throw EntangledRows() }
    if rows.isCollection || rules.deletesOrphans {
      rowCountsBefore = try transaction.catalog.entities.map { ($0, try transaction.count(of: $0)) }
    }
    try measure(\.resolve) { try loadDigests(identity) }
    try rows.forEachBatch(reading: reading) { batch in
      self.batch = batch
      try take(identity)
      if !rows.isDivided { try linkDeferred() }
      for pass in entities { pass.endBatch() }
    }
    if rows.isDivided {
      try checkIdentities(identity)
      try linkDeferred()
    }
    try orderMembersOfParent()
    try writeOverwrittenRows()
    setDigests()
    tell(.resolve, report.durations.resolve)
    tell(.map, report.durations.map)
    tell(.link, report.durations.link)
    try measure(\.delete) {
      try deleteOrphans()
      try deleteMissingRows()
    }
    tell(.delete, report.durations.delete)
    try checkCancellation()
    reportIgnoredReferences()
    try count()
    noteProgress(rows.count)
    return report
  }

  /// Does with a batch what can be done with it alone.
  private func take(_ identity: IdentityPlan) throws {
    try measure(\.resolve) {
      try findKnownRows()
      try takeRows(identity: identity)
      if !rows.isDivided { try checkIdentities(identity) }
      if scope == nil, rows.isCollection || !target.listed.isEmpty { try findScope() }
      try resolve()
      try checkEnds()
      try checkNestedEnds()
      try checkDigests()
    }
    try measure(\.map) {
      try writeKeptRows()
      try mapRows()
    }
    if rows.isDivided {
      try measure(\.link) {
        try linkRows()
        try noteVacancies()
        try checkNestedVacancies()
      }
      makeDigests()
    }
  }

  /// Does what could not be done before all rows were there.
  private func linkDeferred() throws {
    try measure(\.map) { try setDeferredLinks() }
    try measure(\.link) {
      if rows.isDivided {
        try setDeferredMembers()
        try checkVacancies()
      } else {
        try linkRows()
        try holdPartner()
        try checkRequiredLinks()
      }
    }
    if !rows.isDivided { makeDigests() }
  }

  /// Reads the rows around one that was in hand before, and has them in hand.
  func rereadBatch(of row: Int) throws {
    if batch.rows.contains(row) { return }
    batch = try rows.batch(of: row, reading: RowReading(keys: target.plan.keys))
    target.endBatch()
  }

  private func measure(
    _ duration: WritableKeyPath<SyncDurations, Duration>, _ body: () throws -> Void
  ) rethrows {
    let start = ContinuousClock.now
    try body()
    report.durations[keyPath: duration] += start.duration(to: .now)
  }

  private func tell(_ phase: SyncPhase, _ duration: Duration) { request.hooks.phase?(phase, duration) }

  func noteProgress(_ completedRows: Int) {
    request.hooks.progress?(SyncProgress(completedRows: completedRows, totalRows: rows.count))
  }

  func pass(for entity: String) throws -> EntityPass {
    if let pass = byName[entity] { return pass }
    guard let plan = plans.plan(for: entity, in: transaction.catalog, convention: request.convention) else {
      throw SyncError.invalidPayload(model: entity, reason: "the store has no such entity")
    }
    let pass = try EntityPass(plan: plan, in: transaction)
    entities.append(pass)
    byName[entity] = pass
    return pass
  }

  /// Where objects without identity are nested: in one relationship of one row.
  private struct NestedPlace: Hashable {
    let entity: String
    let slot: Int
    let relationship: Int
  }

  /// The slot of the row that objects without identity make where the row around them has none. All of them at one place are one row.
  func newRowSlot(for item: PayloadItem, _ relationship: Int, of owner: EntityPass, in destination: EntityPass) -> Int {
    let place = NestedPlace(entity: owner.name, slot: item.slot, relationship: relationship)
    if let slot = newRowSlots[place] { return slot }
    let slot = destination.identities.makeAnonymousSlot()
    newRowSlots[place] = slot
    return slot
  }

  func value(_ node: Int) -> PayloadValue { PayloadValue(memory: batch.memory, index: node) }

  /// The JSON pointer (RFC 6901) to a row, or to a value inside of one in hand.
  func pointer(toRow row: Int, node: Int? = nil) -> String {
    var pointer = rows.isCollection ? "\(rows.pointer)/\(row)" : rows.pointer
    if let node, batch.rows.contains(row), let value = batch.value(row) {
      value.appendPointer(toNode: node, to: &pointer)
    }
    return pointer
  }

  func checkCancellation() throws {
    if isCancelled() { throw SyncError.cancelled }
  }

  func invalid(_ pass: EntityPass, _ reason: String) -> SyncError {
    .invalidPayload(model: pass.name, reason: reason)
  }
}
