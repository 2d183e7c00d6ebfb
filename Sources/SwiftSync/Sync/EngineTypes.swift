import KeyValueStore
import Records
import SyncEngine

/// How a backend writes the keys of its payloads.
public typealias KeyStyle = SyncEngine.KeyStyle
/// What a sync may do to the links between rows.
public typealias SyncRelationshipOperations = SyncEngine.SyncRelationshipOperations
/// What a sync did, and what it could not do as asked.
public typealias SyncReport = SyncEngine.SyncReport
/// What becomes of a payload value that cannot be read, or is null where something is required.
public typealias UnreadableValuePolicy = SyncEngine.UnreadableValuePolicy
/// What becomes of a row that was changed both here and on the server before it was pushed.
public typealias SyncConflictPolicy = SyncEngine.SyncConflictPolicy
/// Which side a conflict is decided for.
public typealias SyncConflictResolution = SyncEngine.SyncConflictResolution
/// The value of an attribute or to-one relationship in a conflict.
public typealias SyncValue = SyncEngine.SyncValue
/// Why a sync did nothing.
public typealias SyncError = SyncEngine.SyncError
/// What a `SyncContainer` throws for classes that cannot be synced: `SyncError.schemaValidation`.
public typealias SchemaValidationError = SyncEngine.SyncError
/// What becomes of stored rows that a payload doesn't list.
public typealias MissingRows = SyncEngine.MissingRows
/// What the text of a payload consists of.
public typealias PayloadFormat = SyncEngine.PayloadFormat
/// How far a sync has come.
public typealias SyncProgress = SyncEngine.SyncProgress
/// A part of the work of a sync.
public typealias SyncPhase = SyncEngine.SyncPhase

/// Hears how far a sync has come: about a hundred times, and when all rows of the payload are done. It is called on the
/// store's writer thread, which waits for it, and must not use the store. A sync that has to start over counts from the
/// beginning again.
public typealias SyncProgressHandler = @Sendable (SyncProgress) -> Void
/// Hears how long a phase of a sync took. It must be quick, and must not use the store.
public typealias SyncPhaseHandler = @Sendable (SyncPhase, Duration) -> Void
/// What goes wrong with rows, constraints and the stored schema.
public typealias RecordError = Records.RecordError
/// Why a schema cannot be used, whatever a store holds.
public typealias SchemaError = Records.SchemaError
/// One reason for which a schema cannot take over what a store holds.
public typealias SchemaDifference = Records.SchemaDifference
/// How far the work has come that a changed schema makes.
public typealias MigrationProgress = Records.EvolutionProgress
/// The number of a row within its entity, as errors name it.
public typealias RowNumber = Records.RowNumber
/// What goes wrong with a store's files.
public typealias StoreError = KeyValueStore.StoreError

/// What a save or a sync has survived when it returns.
public typealias Durability = KeyValueStore.Durability

/// What a store has done since it was opened.
public typealias StoreMetrics = KeyValueStore.EnvironmentMetrics

/// How much of its history a store keeps.
public typealias HistoryPolicy = Records.HistoryPolicy

/// Why a store takes no more writes until it is opened again.
public typealias ReopenCause = KeyValueStore.ReopenCause
