import KeyValueStore
import Records
import SyncEngine

/// A model whose local changes are kept for a server, in one store.
struct OfflineModel: Sendable {
  let core: ContainerCore
  let binding: ModelBinding
  let entity: Entity
  let identity: Attribute

  var name: String { binding.table.name }

  /// The consumer of the history that stands for how far a model's changes were pushed.
  var bookmark: String { Self.bookmark(of: name) }

  static func bookmark(of model: String) -> String { "com.github.3lvis.SwiftSync.push.\(model)" }

  /// - Throws: `SyncError.schemaValidation` for a model that is not enabled for it; `ModelError.unknownModel`.
  init<Model: SyncUpdatableModel>(_ model: Model.Type, in core: ContainerCore) throws {
    binding = try core.binding(of: model)
    self.core = core
    entity = binding.entity
    let property = model.syncIdentityPropertyName
    guard let identity = entity.identity, entity.isOfflineEnabled, identity.name == property else {
      throw SyncError.schemaValidation(
        reason: "\(binding.table.name) is not enabled for offline push: its identity "
          + (property.isEmpty ? "has no name" : property)
          + " lacks .preserveValueOnDeletion. Declare it with @Attribute(.unique, .preserveValueOnDeletion).")
    }
    self.identity = identity
  }

  /// - Throws: `StoreError.readOnly`: what is sent could not be settled.
  func checkWritable() throws {
    if !core.configuration.allowsSave { throw StoreError.readOnly(path: core.configuration.url.path) }
  }

  func rowIdentity(_ value: FieldValue) -> SyncRowIdentity { SyncRowIdentity(model: name, value: value) }
}
