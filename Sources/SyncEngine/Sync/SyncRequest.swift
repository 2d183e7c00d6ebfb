/// One sync: a payload, the entity that it is for, and how it is to be read.
package struct SyncRequest: Sendable {
  /// What the payload is.
  package enum Form: Sendable, Equatable {
    /// An array of objects: all rows of the entity, so that rows which it doesn't list are deleted.
    case collection
    /// One object, which says nothing about other rows.
    case item
  }

  /// The name of the entity.
  package var entity: String
  package var document: PayloadDocument
  package var form: Form
  package var convention: MappingConvention
  package var operations: SyncRelationshipOperations

  package init(
    entity: String,
    document: PayloadDocument,
    form: Form = .collection,
    convention: MappingConvention = MappingConvention(),
    operations: SyncRelationshipOperations = .all
  ) {
    self.entity = entity
    self.document = document
    self.form = form
    self.convention = convention
    self.operations = operations
  }
}
