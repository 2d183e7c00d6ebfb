import KeyValueStore
import Records
import SyncEngine

/// What a sync did, and what it could not do as asked.
public typealias SyncReport = SyncEngine.SyncReport
/// Why a payload could not be synced.
public typealias SyncError = SyncEngine.SyncError
/// What goes wrong with rows, constraints and the stored schema.
public typealias RecordError = Records.RecordError
/// What goes wrong with a store's files.
public typealias StoreError = KeyValueStore.StoreError
