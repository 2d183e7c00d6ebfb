import Contexts
import Records

/// An opened store, and what connects its entities with those of a model: what a stack and its contexts share.
final class ObjectStore: Sendable {
  let model: ManagedObjectModel
  let records: RecordStore
  /// Syncs payloads into the store.
  let sync: EntitySync
  /// Tells the contexts of commits.
  let commits = CommitFeed()
  private let observation: StoreObservation
  private let bindings: [String: EntityBinding]
  private let tables: [EntityID: TableBinding]

  /// - Parameters:
  ///   - model: The model that the store is of.
  ///   - records: The store.
  ///   - classes: The classes of objects, by the names of their entities, where they have one of their own.
  init(_ model: ManagedObjectModel, _ records: RecordStore, classes: [String: ManagedObject.Type]) {
    self.model = model
    self.records = records
    sync = EntitySync(model, of: records.identifier)
    observation = records.observeCommits { [commits] in commits.deliver($0) }
    var bindings: [String: EntityBinding] = [:]
    for entity in model.entities {
      bindings[entity.name] = EntityBinding(
        entity, of: model, records.catalog, in: records.identifier, class: classes[entity.name])
    }
    var tables: [EntityID: TableBinding] = [:]
    for table in records.catalog.entities {
      // A store may have entities that this model doesn't know.
      guard let root = bindings[table.name] else { continue }
      let field = table.attribute(named: StoredModel.entityAttribute)?.field
      tables[table.id] = TableBinding(root: root, entityField: field)
    }
    self.bindings = bindings
    self.tables = tables
  }

  /// - Throws: `ManagedObjectError.unknownEntity`.
  func binding(_ entity: String) throws(ManagedObjectError) -> EntityBinding {
    guard let binding = bindings[entity] else { throw .unknownEntity(entity) }
    return binding
  }

  /// Whose object a row is; nil for one of an entity that the model doesn't have.
  func binding(of record: RecordView, in table: EntityID) -> EntityBinding? {
    guard let table = tables[table] else { return nil }
    guard let field = table.entityField, case .string(let name) = record.value(field) else { return table.root }
    return bindings[name]
  }

  /// Ends the use of the store.
  func close() {
    records.close()
    commits.end()
  }

  /// How the objects of one of the store's entities are told apart.
  private struct TableBinding {
    let root: EntityBinding
    /// Where a row says whose it is, if entities share the table.
    let entityField: FieldIndex?
  }
}
