import Records

/// One sync: a payload, the entity that it is for, and how it is to be read.
package struct SyncRequest: Sendable {
  /// What the payload is.
  package enum Form: Sendable, Equatable {
    /// An array of objects: all rows of the scope, so that rows which it doesn't list are deleted.
    case collection
    /// One object, which says nothing about other rows.
    case item
    /// Either: an array is a collection, an object an item.
    case collectionOrItem
  }

  /// The name of the entity's mapping.
  package var entity: String
  package var document: PayloadDocument
  package var form: Form
  /// Where in the document the rows are.
  package var path: PayloadPath
  package var scope: SyncScope
  /// What becomes of the rows of the scope that a collection doesn't list.
  package var missing: MissingRows
  package var convention: MappingConvention
  package var operations: SyncRelationshipOperations
  /// What it may do; nil for what the operations say.
  package var rules: SyncRules?
  /// What becomes of rows that were changed here and not pushed yet.
  package var conflicts: SyncConflictPolicy
  /// Whether the sync is only to find out what it would do. `run(in:)` writes all the same: its caller undoes the transaction.
  package var isDryRun: Bool
  package var hooks: SyncHooks
  /// Looks at what the sync has done before that counts. What it throws ends the sync.
  package var check: (@Sendable (RecordTransaction) throws -> Void)?

  package init(
    entity: String,
    document: PayloadDocument,
    form: Form = .collection,
    at path: PayloadPath = PayloadPath(),
    scope: SyncScope = SyncScope(),
    missing: MissingRows = .delete,
    convention: MappingConvention = MappingConvention(),
    operations: SyncRelationshipOperations = .all,
    rules: SyncRules? = nil,
    conflicts: SyncConflictPolicy = .localWins,
    isDryRun: Bool = false,
    hooks: SyncHooks = SyncHooks(),
    check: (@Sendable (RecordTransaction) throws -> Void)? = nil
  ) {
    self.entity = entity
    self.document = document
    self.form = form
    self.path = path
    self.scope = scope
    self.missing = missing
    self.convention = convention
    self.operations = operations
    self.rules = rules
    self.conflicts = conflicts
    self.isDryRun = isDryRun
    self.hooks = hooks
    self.check = check
  }
}
