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
/// Why a sync did nothing.
public typealias SyncError = SyncEngine.SyncError
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
