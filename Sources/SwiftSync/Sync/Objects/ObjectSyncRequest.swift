import Records
import SyncEngine

/// One sync of objects: the payload, and how it is to be read.
struct ObjectSyncRequest {
  /// The payload rows.
  var rows: [[String: Any]]
  /// Whether they are all rows of the scope, so that those which are not among them are deleted. Otherwise it is one, which says
  /// nothing about others.
  var isCollection: Bool
  /// The JSON pointer to the payload, or to the rows in it.
  var pointer = ""
  var convention = MappingConvention()
  var operations = SyncRelationshipOperations.all
  /// Whose rows they are; nil for those of the whole model.
  var parent: Parent?
  /// What is true of the rows that may be deleted.
  var condition = Condition.always
  /// What becomes of rows that a collection doesn't list.
  var missing = MissingRows.delete
  /// Whether the sync is only to find out what it would do.
  var isDryRun = false
  var hooks = SyncHooks()
  /// What else is done in the transaction that saves. If it throws, nothing is saved. Not called if there is nothing to save.
  var noting: @Sendable (RecordTransaction) throws -> Void = { _ in }

  /// An object that a to-one relationship of all rows leads to.
  struct Parent: Sendable {
    /// The relationship, a line of the rows' table.
    var relationship: ModelProperty
    var identifier: PersistentIdentifier
  }
}

extension ObjectSyncRequest {
  /// The same request as one of records.
  ///
  /// - Throws: `SyncError.invalidPayload` for a payload of the wrong shape, and a parent relationship that the table lacks.
  init(_ request: SyncRequest, of table: ModelTable, in core: ContainerCore) throws {
    let read = try request.readRows { rows, isCollection, pointer in
      (rows: rows.map { $0.nativeObject }, isCollection: isCollection, pointer: pointer)
    }
    rows = read.rows
    isCollection = read.isCollection
    pointer = read.pointer
    convention = request.convention
    operations = request.operations
    condition = request.scope.condition
    missing = request.missing
    isDryRun = request.isDryRun
    hooks = request.hooks
    parent = try request.scope.parent.map { parent in
      guard let relationship = table.properties.first(where: { $0.name == parent.relationship }),
        let destination = relationship.relationship?.destination().modelTable
      else {
        throw SyncError.invalidPayload(model: table.name, reason: "\(parent.relationship) is no to-one relationship")
      }
      return Parent(
        relationship: relationship,
        identifier: PersistentIdentifier(
          entityName: destination.name, storeIdentifier: core.storeIdentifier, row: parent.row))
    }
  }
}
