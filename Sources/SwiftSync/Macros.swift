/// Makes a class a model: its stored properties are kept in a store, observable, and restored from there.
///
/// ```swift
/// @Model final class Task {
///   @Attribute(.unique) var id: String
///   var title: String
///   var project: Project?
///
///   init(id: String, title: String) {
///     self.id = id
///     self.title = title
///   }
/// }
/// ```
///
/// A stored `var` is persisted unless it is marked ``Transient()``. What it is follows from its type: a model, an
/// optional model or an array of models is a relationship, any other `Codable` type is an attribute. A `let` needs a
/// value in its declaration and is not persisted. `docs/macros.md` shows what the macro generates.
///
/// A class that had another name when its objects were stored says so: `@Model(originalName: "Job") final class Task`.
@attached(member, names: named(_$backing), named(modelTable), named(init(_$backing:)))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel)
public macro Model(originalName: String? = nil) = #externalMacro(module: "SyncMacros", type: "ModelMacro")

/// Lets payloads be synced into a model and the model be exported again.
///
/// The sync identity, which tells which row of a payload is which stored row, is the property marked
/// ``PrimaryKey(remote:)``, else the one named `id`, else the one named `remoteID`. Payload keys follow from the
/// properties' names; ``RemoteKey(_:)`` overrides them.
///
/// ```swift
/// @Syncable @Model final class Task {
///   @Attribute(.unique) var id: String
///   @RemoteKey("description") var descriptionText: String?
///   …
/// }
/// ```
@attached(
  extension, conformances: SyncMappedModel,
  names: named(SyncID), named(syncIdentity), named(syncIdentityPropertyName), named(make), named(apply),
  named(applyRelationships), named(export))
public macro Syncable() = #externalMacro(module: "SyncMacros", type: "SyncableMacro")

/// Gives an actor a context of its own, on an executor of its own: see ``ModelActor``.
///
/// It adds the properties `modelContainer` and `modelExecutor` and the initializer `init(modelContainer:)`.
@attached(member, names: named(modelContainer), named(modelExecutor), named(init(modelContainer:)))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SyncMacros", type: "ModelActorMacro")

/// Like ``ModelActor()``, and without an initializer if `disableGenerateInit` is the literal `true`: write one that sets
/// `modelContainer` and `modelExecutor`.
@attached(member, names: named(modelContainer), named(modelExecutor), named(init(modelContainer:)))
@attached(extension, conformances: ModelActor)
public macro ModelActor(disableGenerateInit: Bool) = #externalMacro(module: "SyncMacros", type: "ModelActorMacro")

/// Describes an attribute: its options, its name in earlier versions of the schema.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option...,
  originalName: String? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "SyncMacros", type: "AttributeMacro")

/// Describes a relationship: what happens to the far end when the object is deleted, and which property of the far end
/// is the other direction.
///
/// A relationship needs no attribute at all when the defaults fit. Without `inverse` the other direction is the one
/// property of the destination that leads back, if there is exactly one.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option...,
  deleteRule: Schema.Relationship.DeleteRule = .nullify,
  originalName: String? = nil,
  inverse: AnyKeyPath? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "SyncMacros", type: "RelationshipMacro")

/// Leaves a stored property out of the store. It needs a default value, which restored objects start with.
@attached(peer)
public macro Transient() = #externalMacro(module: "SyncMacros", type: "TransientMacro")

/// Marks the sync identity, and with `remote:` names the payload key that it is read from and exported under.
///
/// The key has to be a string literal. A dot leads into nested objects.
@attached(peer)
public macro PrimaryKey(remote: String? = nil) = #externalMacro(module: "SyncMacros", type: "PrimaryKeyMacro")

/// Names the payload key of a property, where it does not follow from the property's name.
///
/// The key has to be a string literal. A dot leads into nested objects: `@RemoteKey("state.label")`.
@attached(peer)
public macro RemoteKey(_ key: String) = #externalMacro(module: "SyncMacros", type: "RemoteKeyMacro")

/// Leaves a property out of exports. It is still synced.
@attached(peer)
public macro NotExport() = #externalMacro(module: "SyncMacros", type: "NotExportMacro")

/// Asks for an index for each list of properties: `#Index<Task>([\.priority], [\.state, \.updatedAt])`.
@freestanding(declaration)
public macro Index<Model: PersistentModel>(_ indices: [PartialKeyPath<Model>]...) =
  #externalMacro(module: "SyncMacros", type: "IndexMacro")

/// Demands that no two objects agree in all properties of a list: `#Unique<Shift>([\.name, \.day])`.
@freestanding(declaration)
public macro Unique<Model: PersistentModel>(_ constraints: [PartialKeyPath<Model>]...) =
  #externalMacro(module: "SyncMacros", type: "UniqueMacro")

/// Attached by ``Model()`` to every persisted property; not for use by hand.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty(slot: Int) = #externalMacro(module: "SyncMacros", type: "PersistedPropertyMacro")
