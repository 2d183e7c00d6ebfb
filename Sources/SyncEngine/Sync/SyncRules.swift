/// What a sync may do with the rows of the payload, with those of nested objects, and with links, each said by itself. The modules
/// above have operations of their own, which are turned into these.
package struct SyncRules: Sendable, Equatable {
  /// Whether objects of the payload become new rows.
  package var insertsRows = true
  /// Whether objects of the payload change stored rows.
  package var updatesRows = true
  /// Whether nested objects become new rows.
  package var insertsNestedRows = true
  /// Whether nested objects change stored rows.
  package var updatesNestedRows = true
  /// Whether the relationships of new rows are looked at.
  package var linksNewRows = true
  /// Whether those of stored rows are that objects of the payload speak of.
  package var linksStoredRows = true
  /// Whether those of stored rows are that nested objects speak of.
  package var linksStoredNestedRows = true
  /// Whether links are made.
  package var canLink = true
  /// Whether links are removed.
  package var canUnlink = true
  /// Whether rows that belong to one owner only, and are left out of its list of objects, are deleted.
  package var deletesOrphans = false
  /// Whether nested objects need an identity to become rows, and say themselves what they lead back to. Otherwise the object around
  /// them is what counts: what they say about the way back is not looked at, and one without identity is a new row of its owner.
  package var isNestingStrict = true

  package init() {}

  /// The rules for a set of operations.
  init(_ operations: SyncRelationshipOperations) {
    insertsNestedRows = operations.contains(.insert)
    updatesNestedRows = operations.contains(.update)
    linksNewRows = operations.includesRelationships(ofNewRow: true)
    linksStoredRows = operations.includesRelationships(ofNewRow: false)
    linksStoredNestedRows = linksStoredRows
    canLink = operations.canLink
    canUnlink = operations.contains(.delete)
  }

  /// Everything that can be limited by operations, as `SyncRelationshipOperations.all` has it.
  static let all = SyncRules()
}
