import Foundation
import SyncEngine

extension SyncContainer {
  /// Opens the store for some classes and all that they reach through relationships, or creates it.
  ///
  /// - Parameters:
  ///   - modelTypes: the model classes.
  ///   - migrationPlan: the versions that the schema has had, for changes that a store does not take over by itself.
  ///   - keyStyle: how the backend writes its keys.
  ///   - dateFormatter: how an export writes dates; nil for ISO 8601 with milliseconds, in UTC.
  ///   - unreadableValues: what a sync does with a value that cannot be read; the report lists it in any case.
  ///   - conflicts: what a sync does with a row that was changed here and not pushed yet, when the server's differs; the report
  ///     lists it in any case. It concerns models whose identity has `.preserveValueOnDeletion`.
  ///   - onPhase: is called at the end of each phase of each sync, on the thread that did the work and waits for it.
  ///   - onRead: hears what each round of changes has cost the publishers, on the main actor.
  ///   - recoverOnFailure: whether a store that cannot be used for what it holds (damage, another format or schema) is moved
  ///     aside for a new one, which a sync fills again. Its folder is renamed to `NAME.damaged-1` or the next free number, and
  ///     nothing of it is deleted; `recovery` says where it is, and why. A store that somebody else has open, a full disk or a
  ///     missing permission are no such reasons.
  ///   - configurations: where the store is; the application's default store if none is given.
  /// - Throws: `SyncError.schemaValidation` for classes that cannot be synced: two to-many relationships that lead back and
  ///   forth without an inverse on either side, a unique constraint on anything but the identity; for a timestamp in `conflicts` that no
  ///   model has. What
  ///   `ModelContainer.init(for:migrationPlan:configurations:progress:)` throws. With `recoverOnFailure`,
  ///   `SyncError.containerInitialization` for a store that can neither be used nor moved.
  public convenience init(
    for modelTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    keyStyle: KeyStyle = .snakeCase, dateFormatter: DateFormatter? = nil,
    unreadableValues: UnreadableValuePolicy = .replace, conflicts: SyncConflictPolicy = .localWins,
    onPhase: SyncPhaseHandler? = nil,
    onRead: SyncReadHandler? = nil, recoverOnFailure: Bool = false, configurations: ModelConfiguration...
  ) throws {
    let schema = Schema(modelTypes)
    try schema.validateForSync()
    try schema.validate(conflicts)
    let opened =
      recoverOnFailure
      ? try ModelContainer.recovering(for: schema, migrationPlan: migrationPlan, configurations: configurations)
      : (
        container: try ModelContainer(for: schema, migrationPlan: migrationPlan, configurations: configurations),
        recovery: nil
      )
    self.init(
      opened.container, recovery: opened.recovery, keyStyle: keyStyle, dateFormatter: dateFormatter,
      unreadableValues: unreadableValues, conflicts: conflicts, onPhase: onPhase, onRead: onRead)
  }
}
