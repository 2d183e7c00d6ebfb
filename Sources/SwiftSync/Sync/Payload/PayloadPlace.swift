import SyncEngine

/// Where a payload object stands in the sync that it is a part of.
struct PayloadPlace {
  /// The sync.
  let pass: ObjectPass
  /// The position of the payload row that it is or belongs to.
  let row: Int
  /// The keys and positions that lead from the row to the object; none for the row itself.
  var path: [String] = []
  /// Whose row it is, once that is known.
  var entity = ""
  /// The identity of that row, as text.
  var identity = ""

  /// The place of an object inside of this one.
  func appending(_ steps: [String]) -> PayloadPlace {
    PayloadPlace(pass: pass, row: row, path: path + steps)
  }

  /// The place, for a sentence.
  var description: String {
    let nested = path.isEmpty ? "" : ", nested object"
    return "row \(row)\(nested)" + (identity.isEmpty ? "" : " (\(identity))")
  }

  /// Where a value under a key stands in the payload, as a JSON pointer.
  private func pointer(to steps: [String]) -> String {
    (path + steps).reduce(into: pass.pointer(toRow: row)) { JSONPointer.append(key: $1, to: &$0) }
  }

  func noteReplaced(
    _ value: Any, at steps: [String], cause: SyncReport.ReplacedValue.Cause,
    outcome: SyncReport.ReplacedValue.Outcome
  ) {
    pass.report.noteReplaced(
      row: row, pointer: pointer(to: steps), entity: entity, identity: identity, key: steps.joined(separator: "."),
      value: NativeCoercion.reportText(of: value), cause: cause, outcome: outcome)
  }

  func noteIgnored(
    _ value: Any, at steps: [String], relationship: String, reason: SyncReport.IgnoredReference.Reason
  ) {
    pass.report.noteIgnored(
      row: row, pointer: pointer(to: steps), entity: entity, identity: identity, relationship: relationship,
      value: NativeCoercion.reportText(of: value), reason: reason)
  }

  func noteSkipped() {
    pass.report.noteSkipped(row: row, pointer: pointer(to: []), entity: entity)
  }
}
