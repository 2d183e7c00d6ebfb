import Records

/// What a pass knows about one entity.
final class EntityPass {
  let plan: MappingPlan
  let entity: Entity
  /// The number of rows before the pass: of those of the entity itself, without its special cases.
  let rowCountBefore: Int

  /// Reads objects whose attributes and relationships are wanted.
  let reader: RowReader
  /// Reads the identities of nested objects, while `reader` may still stand on the object around them.
  let identityReader: RowReader
  private let pinnedBuilder: Pinned<RecordBuilder>

  let identities: IdentityMap
  private let pinnedBatch: Pinned<Batch>
  /// The rows that objects of the payload speak of, in the order in which they first do.
  private(set) var listed: [ListedRow] = []
  var linkChanges = LinkChanges()
  /// The identities of the first rows that were deleted because the payload doesn't list them.
  var deletedIdentities: [String] = []
  /// The passes that the relationships lead to, by position.
  var destinations: [EntityPass?]
  /// The rows that were changed here and not pushed yet; nil if there are none.
  let dirty: DirtyRows?
  /// Of rows that come in windows: the entity whose objects lead to this one's.
  var reachedFrom: ObjectIdentifier?
  /// How many slots and listed rows there were before the batch.
  private var earlierSlots = 0
  private var earlierListed = 0

  /// What there is of one batch of rows.
  struct Batch {
    var items: [PayloadItem] = []
    var links: [PayloadLink] = []
    /// Slots of the destinations of links.
    var targets: [Int] = []
    /// The first item of which is not decided yet what it does.
    var firstOpenItem = 0
    /// Whether two items may have one slot, or a slot's items may not lie together in the order of the payload.
    var hasScatteredItems = false
    /// The rows, by slot, whose objects do more than to say what the row is: they have nested objects, or the report has a
    /// remark on them.
    var dependentSlots: Set<Int> = []
    /// For each relationship of the plan, whether an object of this batch or of one before says something about it.
    var shownRelationships: [Bool]
    /// By the positions of nested objects: the relationship that leads back to the objects around them.
    var waysBack: [Int: RelationshipID] = [:]

    mutating func removeAll() {
      items.removeAll(keepingCapacity: true)
      links.removeAll(keepingCapacity: true)
      targets.removeAll(keepingCapacity: true)
      dependentSlots.removeAll()
      waysBack.removeAll()
      firstOpenItem = 0
      hasScatteredItems = false
    }
  }

  /// A row that objects speak of.
  struct ListedRow {
    let slot: UInt32
    /// The position of the first object that is the row itself; `UInt32.max` for one that is only mentioned inside of others.
    let position: UInt32
  }

  init(plan: MappingPlan, in transaction: RecordTransaction) throws {
    self.plan = plan
    rowCountBefore = try transaction.rowCount(of: plan)
    entity = plan.entity
    reader = RowReader(plan.keys)
    identityReader = RowReader(plan.keys)
    pinnedBuilder = Pinned(RecordBuilder(plan.entity.layout))
    identities = IdentityMap(plan.identity, wasEmpty: try transaction.count(of: plan.entity) == 0)
    pinnedBatch = Pinned(Batch(shownRelationships: [Bool](repeating: false, count: plan.relationships.count)))
    destinations = [EntityPass?](repeating: nil, count: plan.relationships.count)
    dirty = try DirtyRows(of: plan.entity, identities, in: transaction)
  }

  var builder: RecordBuilder {
    @inline(__always) _read { yield pinnedBuilder.value }
    @inline(__always) _modify { yield &pinnedBuilder.value }
  }

  var batch: Batch {
    @inline(__always) _read { yield pinnedBatch.value }
    @inline(__always) _modify { yield &pinnedBatch.value }
  }

  /// What reports and errors call the entity.
  var name: String { plan.name }

  func slot(_ slot: Int) -> IdentityMap.Slot { identities[slot] }

  /// Takes an object in.
  ///
  /// - Returns: Whether it is the first that speaks of its row.
  func append(_ item: PayloadItem) -> Bool {
    batch.items.append(item)
    guard identities[item.slot].place == 0 else { return false }
    let position = item.isNested ? UInt32.max : UInt32(truncatingIfNeeded: item.row)
    listed.append(ListedRow(slot: UInt32(truncatingIfNeeded: item.slot), position: position))
    identities[item.slot].place = UInt32(truncatingIfNeeded: listed.count)
    return true
  }

  /// Takes in what an object says about a relationship.
  func append(_ link: PayloadLink) {
    batch.links.append(link)
    batch.shownRelationships[link.relationship] = true
  }

  /// Whether a batch before this one has mentioned an identity.
  func isFromEarlierBatch(slot: Int) -> Bool { slot < earlierSlots }

  /// Whether an object of a batch before this one speaks of a row.
  func isListedByEarlierBatch(slot: Int) -> Bool {
    let place = Int(identities[slot].place)
    return place > 0 && place <= earlierListed
  }

  /// Forgets what belongs to a batch.
  func endBatch() {
    batch.removeAll()
    earlierSlots = identities.slotCount
    earlierListed = listed.count
    reader.forget()
    identityReader.forget()
  }

  /// Calls the closure with the items of one row after another, those of a row in the order of the payload.
  func forEachRow(_ body: (_ slot: Int, _ items: ArraySlice<PayloadItem>) throws -> Void) rethrows {
    let items =
      batch.hasScatteredItems
      ? batch.items.sorted { ($0.slot, $0.row, $0.node) < ($1.slot, $1.row, $1.node) } : batch.items
    var start = 0
    while start < items.count {
      let slot = items[start].slot
      var end = start + 1
      while end < items.count, items[end].slot == slot { end += 1 }
      try body(slot, items[start..<end])
      start = end
    }
  }
}

extension RecordTransaction {
  /// How many rows an entity has itself, without those of its special cases.
  func rowCount(of plan: MappingPlan) throws -> Int {
    guard let members = plan.members else { return try count(of: plan.entity) }
    guard let own = members.own else { return 0 }
    return try count(RecordQuery(plan.entity, where: .compare(members.field, .equal, own)))
  }
}
