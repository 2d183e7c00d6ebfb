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
  func text(of value: PayloadValue) -> String { value.reportText }

  /// Notes a key that an object has more than once, by its last value.
  func noteRepeatedKey(of value: PayloadValue, in item: PayloadItem, _ pass: EntityPass) {
    report.note(
      .init(
        row: item.row, pointer: rows.pointer(toRow: item.row, node: value.index), entity: pass.entity.name,
        value: text(of: value)), in: \.duplicateKeys)
  }

  func noteIgnored(
    _ value: PayloadValue, _ relationship: Relationship, of item: PayloadItem, in pass: EntityPass,
    reason: SyncReport.IgnoredReference.Reason
  ) {
    report.note(
      .init(
        row: item.row, pointer: rows.pointer(toRow: item.row, node: value.index), entity: pass.entity.name,
        identity: identityText(of: item, in: pass), relationship: relationship.name, value: text(of: value),
        reason: reason), in: \.ignoredReferences)
  }
}
