import Records

/// How a pass speaks about rows and values in its report and errors.
extension SyncPass {
  /// The row of an object, for a sentence.
  func place(of item: PayloadItem, in pass: EntityPass) -> String {
    let nested = item.isNested ? ", nested object" : ""
    return
      "row \(item.row)\(nested) (\(pass.plan.identity?.attribute.name ?? "row") \(identityText(of: item, in: pass)))"
  }

  /// The identity of an object's row.
  func identityText(of item: PayloadItem, in pass: EntityPass) -> String {
    guard let identity = pass.plan.identity else { return "" }
    if item.identityNode > 0 {
      let type = identity.attribute.type
      return Coercion.convert(value(item.identityNode), to: type)?.value.fieldValue(as: type).reportText ?? ""
    }
    return pass.builder.value(identity.attribute.field).reportText
  }

  /// A value, shortened.
  func text(of value: PayloadValue) -> String {
    let text = value.reportText
    return text.isEmpty ? "\"\"" : text
  }

  /// Notes a nested object that was left out because it has no identity.
  func noteSkipped(_ object: PayloadValue, of item: PayloadItem, in pass: EntityPass) {
    report.note(
      .init(
        row: item.row, pointer: pointer(toRow: item.row, node: object.index), entity: pass.name, reason: .noIdentity),
      in: \.skippedRows)
  }

  /// Notes a key that an object has more than once, by its last value.
  func noteRepeatedKey(of value: PayloadValue, in item: PayloadItem, _ pass: EntityPass) {
    report.note(
      .init(
        row: item.row, pointer: pointer(toRow: item.row, node: value.index), entity: pass.name,
        value: text(of: value)), in: \.duplicateKeys)
  }

  /// Notes the repeated keys of nested objects that dotted keys lead into. Those of the object itself are known from reading it.
  func noteRepeatedKeys(behindDotsIn values: RowValues, of item: PayloadItem, _ pass: EntityPass) {
    var noted: Set<Int> = []
    for candidate in pass.plan.keys.dotted {
      for value in values.repetitions(behindHeadOf: candidate) where noted.insert(value.index).inserted {
        noteRepeatedKey(of: value, in: item, pass)
      }
    }
  }

  func noteIgnored(
    _ value: PayloadValue, _ plan: RelationshipPlan, of item: PayloadItem, in pass: EntityPass,
    reason: SyncReport.IgnoredReference.Reason
  ) {
    func detail() -> SyncReport.IgnoredReference {
      .init(
        row: item.row, pointer: pointer(toRow: item.row, node: value.index), entity: pass.name,
        identity: identityText(of: item, in: pass), relationship: plan.name, value: text(of: value),
        reason: reason)
    }
    guard rows.isDivided else { return report.note(detail(), in: \.ignoredReferences) }
    // Batch by batch they come in another order than from all rows at once.
    let phase = reason == .mismatchedValue ? 0 : plan.relationship.isToMany ? 2 : 1
    report.noteCount += 1
    ignoredReferences.insert(detail(), order: (phase, item.row, plan.relationship.propertyIndex))
  }

  /// Puts the ignored references of all batches into the report.
  func reportIgnoredReferences() {
    guard rows.isDivided else { return }
    report.ignoredReferences = ignoredReferences.details
    report.omittedDetails += ignoredReferences.omittedCount
  }
}

/// The first of the details that the report has room for, in an order that isn't the one in which they are found.
struct OrderedDetails<Detail> {
  typealias Order = (phase: Int, row: Int, property: Int)

  private var orders: [Order] = []
  private(set) var details: [Detail] = []
  private(set) var omittedCount = 0

  /// Inserts a detail behind those of the same order.
  mutating func insert(_ detail: @autoclosure () -> Detail, order: Order) {
    if details.count == SyncReport.detailsMax {
      omittedCount += 1
      if let last = orders.last, last <= order { return }
      orders.removeLast()
      details.removeLast()
    }
    var place = orders.count
    while place > 0, orders[place - 1] > order { place -= 1 }
    orders.insert(order, at: place)
    details.insert(detail(), at: place)
  }
}
