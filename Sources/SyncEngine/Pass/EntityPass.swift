import Records

/// What a pass knows about one entity.
final class EntityPass {
  let plan: MappingPlan
  let entity: Entity
  /// The number of rows before the pass.
  let rowCountBefore: Int

  /// Reads objects whose attributes and relationships are wanted.
  let reader: RowReader
  /// Reads the identities of nested objects, while `reader` may still stand on the object around them.
  let identityReader: RowReader
  var builder: RecordBuilder

  /// Nil if the entity has no identity; then nothing can refer to its rows.
  let identities: IdentityMap?
  var items: [PayloadItem] = []
  var links: [PayloadLink] = []
  /// Slots of the destinations of links.
  var targets: [Int] = []
  /// The first item of which is not decided yet what it does.
  var firstOpenItem = 0
  /// Whether two items may have one slot, or a slot's items may not lie together in the order of the payload.
  var hasScatteredItems = false
  /// Existing rows, by slot, of which something changed.
  var changedSlots: Set<Int> = []
  var linkChanges = LinkChanges()
  /// What the to-one links of the row that is being written led to before.
  var formerDestinations: [RowNumber?] = []
  /// The identities of the first rows that were deleted because the payload doesn't list them.
  var deletedIdentities: [String] = []
  /// The rows, by slot, whose objects do more than to say what the row is: they have nested objects, or the report has a remark
  /// on them.
  var dependentSlots: Set<Int> = []
  /// The passes that the relationships lead to, by position.
  var destinations: [EntityPass?]

  init(plan: MappingPlan, rowCountBefore: Int) {
    self.plan = plan
    self.rowCountBefore = rowCountBefore
    entity = plan.entity
    reader = RowReader(plan.keys)
    identityReader = RowReader(plan.keys)
    builder = RecordBuilder(plan.entity.layout)
    identities = plan.identity.map(IdentityMap.init)
    destinations = [EntityPass?](repeating: nil, count: plan.relationships.count)
  }

  func slot(_ slot: Int) -> IdentityMap.Slot? { identities?.slots[slot] }

  /// For each relationship of the plan, whether an object says something about it.
  var shownRelationships: [Bool] {
    var shown = [Bool](repeating: false, count: plan.relationships.count)
    for link in links { shown[link.relationship] = true }
    return shown
  }

  /// Calls the closure with the items of one row after another, those of a row in the order of the payload.
  func forEachRow(_ body: (_ slot: Int, _ items: ArraySlice<PayloadItem>) throws -> Void) rethrows {
    let items =
      hasScatteredItems ? items.sorted { ($0.slot, $0.row, $0.node) < ($1.slot, $1.row, $1.node) } : items
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
