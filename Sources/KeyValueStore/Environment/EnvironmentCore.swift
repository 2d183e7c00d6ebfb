import CLMDB
import Glibc
import Synchronization

/// What all handles on one open store share. There is one for each store in a process, because LMDB allows no second.
///
/// Unchecked `Sendable`: everything is constant or guards itself, except
/// - LMDB's environment, whose calls are made as LMDB demands: one write transaction at a time, on the writer thread; a
///   read transaction by one thread at a time; the map replaced and the environment closed only while nobody is inside;
/// - `mustReopen`, which belongs to the writer thread;
/// - `resources`, which go when nobody is inside any more;
/// - `isMapLost`, which is set while no snapshot is open and no new one gets in (`Occupancy.withoutSnapshots`).
final class EnvironmentCore: @unchecked Sendable {
  /// A number that no other opening of an environment in this process has.
  let opening: UInt64
  let options: Environment.Options
  let isTemporary: Bool
  /// LMDB's environment. Not used after `tearDown`.
  let engine: Engine
  let record: StoreRecord
  /// LMDB's number of the table that has the names of the others.
  let root: MDB_dbi
  let occupancy = Occupancy()
  let tables: TableDirectory
  let committer: any Committer
  /// Nil when the store is open for reading only.
  let writer: WriterThread?
  /// Whether a commit has failed in a way that allows no further one.
  var mustReopen = false
  /// Whether LMDB has no map any more, because the system refused it a new one.
  var isMapLost = false
  private let process = ProcessGeneration.current
  private var resources: StoreResources?
  private let onClose: @Sendable () -> Void

  private static let openings = Atomic<UInt64>(0)

  init(
    _ engine: Engine, _ contents: StoreContents, committer: any Committer, resources: StoreResources,
    isTemporary: Bool, onClose: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    let opening = Self.openings.add(1, ordering: .relaxed).newValue
    self.opening = opening
    options = engine.options
    self.engine = engine
    record = contents.record
    root = contents.root
    tables = TableDirectory(contents.tables.map { Table(name: $0.name, handle: $0.handle, opening: opening) })
    self.committer = committer
    self.resources = resources
    self.isTemporary = isTemporary
    self.onClose = onClose
    writer = options.access == .readWrite ? try WriterThread(path: engine.path) : nil
  }

  var directory: String { engine.path }
  var isWritable: Bool { writer != nil }
  /// What the hashes of long keys are seeded with.
  var seed: UInt64 { record.seed }

  /// Whether the calling process is a fork of the one that opened the store.
  var isForked: Bool { ProcessGeneration.current != process }

  /// Closes everything. Called once, by whoever left last.
  func tearDown() {
    writer?.stop()
    occupancy.discardIdlePlaces()
    engine.close()
    if isWritable, !isTemporary {
      // Only spares the next opening a look at the whole tree, so it does not matter if it fails.
      try? resources?.data.extendToLastPage()
    }
    resources?.writerLock?.forgetHolder()
    // Gives up the lock and closes the files.
    resources = nil
    onClose()
    occupancy.noteTornDown()
  }

  // MARK: - Snapshots

  func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    let (place, transaction) = try beginSnapshot()
    let snapshot = Snapshot(self, transaction)
    defer {
      snapshot.end()
      endSnapshot(place)
    }
    return try body(snapshot)
  }

  func beginSnapshot() throws(StoreError) -> (SnapshotPlace, OpaquePointer) {
    if isForked { throw .forked(path: directory) }
    var mayClearReaders = isWritable
    while true {
      guard let place = occupancy.addSnapshot() else { throw .closed(path: directory) }
      if isMapLost {
        leave(place)
        throw .mustReopen(path: directory)
      }
      let code = place.begin(in: engine.handle)
      if code == MDB_SUCCESS, let transaction = place.transaction { return (place, transaction) }
      leave(place)
      switch code {
      case MDB_MAP_RESIZED:
        try adoptMapSize()
      case MDB_READERS_FULL where mayClearReaders:
        mayClearReaders = false
        try engine.clearStaleReaders()
      default:
        throw engine.error(code, "Beginning a snapshot")
      }
    }
  }

  func endSnapshot(_ place: SnapshotPlace) {
    place.reset()
    leave(place)
  }

  private func leave(_ place: SnapshotPlace) {
    if occupancy.removeSnapshot(place) { tearDown() }
  }

  // MARK: - Statistics

  func statistics() throws -> EnvironmentStatistics {
    // The snapshot keeps the map where it is: that is where LMDB reads its numbers.
    try read { snapshot in
      var info = MDB_envinfo()
      try engine.check(mdb_env_info(engine.handle, &info), "Reading the sizes")
      var root = MDB_stat()
      try engine.check(mdb_env_stat(engine.handle, &root), "Reading the sizes")
      return EnvironmentStatistics(
        pageBytes: Int(root.ms_psize), fileBytes: try resources?.data.byteCount() ?? 0, mapBytes: info.me_mapsize,
        pagesUsed: info.me_last_pgno + 1, lastTransaction: info.me_last_txnid,
        readerPlacesUsed: Int(info.me_numreaders), snapshotsOpen: occupancy.openSnapshotCount - 1,
        writesWaiting: writer?.queue.count ?? 0)
    }
  }

  var damagedLongEntry: StoreError {
    .damaged(path: directory, reason: "the entry of a long key does not begin with that key")
  }
}
