/// Filling a report from outside of the engine.
extension SyncReport {
  /// Whether the sync was to find out only what it would do.
  package mutating func setDryRun(_ isDryRun: Bool) { self.isDryRun = isDryRun }

  /// Notes a payload object that was left out because it has no identity.
  package mutating func noteSkipped(row: Int, pointer: String, entity: String) {
    note(SkippedRow(row: row, pointer: pointer, entity: entity, reason: .noIdentity), in: \.skippedRows)
  }

  /// Notes a value that was not stored as it stood in the payload.
  package mutating func noteReplaced(
    row: Int, pointer: String, entity: String, identity: String, key: String, value: String,
    cause: ReplacedValue.Cause, outcome: ReplacedValue.Outcome
  ) {
    note(
      ReplacedValue(
        row: row, pointer: pointer, entity: entity, identity: identity, key: key, value: value, cause: cause,
        outcome: outcome), in: \.replacedValues)
  }

  /// Notes a relationship that was left as it is.
  package mutating func noteIgnored(
    row: Int, pointer: String, entity: String, identity: String, relationship: String, value: String,
    reason: IgnoredReference.Reason
  ) {
    note(
      IgnoredReference(
        row: row, pointer: pointer, entity: entity, identity: identity, relationship: relationship, value: value,
        reason: reason), in: \.ignoredReferences)
  }

  /// Notes rows that shared their identity with one that was kept.
  package mutating func noteRemovedDuplicates(_ count: Int, of entity: String) {
    removedDuplicates.append(RemovedDuplicates(entity: entity, count: count))
  }

  /// Changes the counts of an entity.
  package mutating func count(_ entity: String, _ change: (inout Counts) -> Void) {
    change(&entities[entity, default: Counts()])
  }

  /// Names a row in one of the lists of an entity, unless it is full.
  package mutating func name(_ identity: String, of entity: String, in list: WritableKeyPath<Identities, [String]>) {
    guard identities[entity, default: Identities()][keyPath: list].count < Self.detailsMax else { return }
    identities[entity, default: Identities()][keyPath: list].append(identity)
  }
}
