/// What an open store holds beside LMDB's environment.
struct StoreResources: Sendable {
  let data: DataFile
  /// Open so that the folder's identity is not given to another folder meanwhile, even if this one is removed.
  let folder: OpenFile
  /// Nil when the store is open for reading only.
  let writerLock: WriterLock?
  /// Nil for a store in memory, and where there is no lock file.
  let presence: Presence?
}
