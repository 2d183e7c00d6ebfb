import CRivals

/// Who keeps the tracker's rows.
enum Peer: String, CaseIterable, Sendable {
  case ours
  case sqlite = "SQLite"
  case lmdb = "LMDB"

  /// Opens the peer's store in a folder, or creates it. `isIndexed` stores have an index for the urgent tasks.
  func open(at folder: String, isIndexed: Bool) throws -> any PeerStore {
    switch self {
    case .ours: try OurTracker(at: folder, isIndexed: isIndexed)
    case .sqlite: try RivalTracker(RIVAL_SQLITE, at: folder, isIndexed: isIndexed)
    case .lmdb: try RivalTracker(RIVAL_LMDB, at: folder, isIndexed: isIndexed)
    }
  }

  /// Makes a store with a workload's first payload.
  func fill(_ folder: String, with workload: TrackerWorkload, isIndexed: Bool) async throws {
    let store = try open(at: folder, isIndexed: isIndexed)
    defer { store.close() }
    _ = try await store.sync(workload.first)
  }
}
