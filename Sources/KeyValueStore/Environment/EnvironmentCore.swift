import CLMDB
import Glibc
import Synchronization

/// What all handles on one open store share. There is one for each store in a process, because LMDB allows no second.
///
/// Unchecked `Sendable`: everything is constant or guards itself, except
/// - LMDB's environment, whose calls are made as LMDB demands: one write transaction at a time, on the writer thread; a
///   read transaction by one thread at a time; the map replaced and the environment closed only while nobody is inside;
/// - `resources`, which go when nobody is inside any more.
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
  let map: DataMap
  let monitor: StoreMonitor
  /// How far this process's commits have come.
  let progress: CommitProgress
  /// Nil when the store is open for reading only.
  let writer: WriterThread?
  /// Used by the thread that has its turn.
  let committer: Committer?
  private let process = ProcessGeneration.current
  private(set) var resources: StoreResources?
  private let onClose: @Sendable () -> Void

  private static let openings = Atomic<UInt64>(0)

  /// Takes over what has been opened. A store that is open for reading only, and one in memory, have no journal.
  init(
    _ engine: Engine, _ contents: StoreContents, journal: Journal?, poison: Poison, monitor: StoreMonitor,
    resources: StoreResources, isTemporary: Bool, onClose: @escaping @Sendable () -> Void
  ) {
    let opening = Self.openings.add(1, ordering: .relaxed).newValue
    self.opening = opening
    options = engine.options
    self.engine = engine
    record = contents.record
    root = contents.root
    tables = TableDirectory(contents.tables.map { Table(name: $0.name, handle: $0.handle, opening: opening) })
    map = DataMap(engine, occupancy)
    self.monitor = monitor
    self.resources = resources
    self.isTemporary = isTemporary
    self.onClose = onClose
    guard options.access == .readWrite else {
      committer = nil
      progress = CommitProgress()
      writer = nil
      return
    }
    let queue = WriterQueue()
    let committer = Committer(
      engine: engine, occupancy: occupancy, map: map, queue: queue, journal: journal, poison: poison, monitor: monitor)
    self.committer = committer
    progress = committer.progress
    writer = WriterThread(queue, committer, path: engine.path)
  }

  var directory: String { engine.path }
  var isWritable: Bool { writer != nil }
  /// What the hashes of long keys are seeded with.
  var seed: UInt64 { record.seed }

  /// Whether the calling process is a fork of the one that opened the store.
  var isForked: Bool { ProcessGeneration.current != process }

  /// Closes everything. Called once, by whoever left last. On the writer thread it only says so, and the thread does it
  /// when it comes to its end.
  func tearDown() {
    if let writer { writer.stop { self.closeFiles() } } else { closeFiles() }
  }

  private func closeFiles() {
    occupancy.discardIdlePlaces()
    engine.close()
    if let committer, !committer.poison.isSet, !isTemporary {
      // Only spares the next opening a look at the whole tree, so it does not matter if it fails.
      try? resources?.data.extendToLastPage()
    }
    resources?.writerLock?.forgetHolder()
    // Gives up the locks and closes the files.
    resources = nil
    onClose()
    occupancy.noteTornDown()
  }

  // MARK: - Snapshots

  func read<Result>(
    showingAll showsAll: Bool = true, _ body: (Snapshot) throws -> Result
  ) throws -> Result {
    let snapshot = try beginReading(showingAll: showsAll)
    defer { endReading(snapshot) }
    return try body(snapshot)
  }

  /// Begins a snapshot, which `endReading` has to end, on the same thread.
  func beginReading(showingAll showsAll: Bool = true) throws(StoreError) -> Snapshot {
    let (place, transaction) = try beginSnapshot(showingAll: showsAll)
    return Snapshot(self, transaction, at: place)
  }

  func endReading(_ snapshot: Snapshot) {
    snapshot.end()
    if let place = snapshot.place { endSnapshot(place) }
  }

  /// Begins a snapshot: of everything that was acknowledged, or of what LMDB has, for which nobody has to wait.
  func beginSnapshot(showingAll showsAll: Bool = true) throws(StoreError) -> (SnapshotPlace, OpaquePointer) {
    if isForked { throw .forked(path: directory) }
    if showsAll, !progress.isCurrent { try waitForPublish() }
    var mayClearReaders = isWritable
    while true {
      guard let place = occupancy.addSnapshot() else { throw .closed(path: directory) }
      if map.isLost {
        leave(place)
        throw .mustReopen(path: directory, cause: .mapLost)
      }
      let code = place.begin(in: engine.handle)
      if code == MDB_SUCCESS, let transaction = place.transaction {
        if !showsAll || !progress.hidesNewest { return (place, transaction) }
        endSnapshot(place)
        try waitForPublish()
        continue
      }
      leave(place)
      switch code {
      case MDB_MAP_RESIZED:
        try map.adoptSize()
      case MDB_READERS_FULL where mayClearReaders:
        mayClearReaders = false
        try engine.clearStaleReaders()
      default:
        throw engine.error(code, "Beginning a snapshot")
      }
    }
  }

  /// Waits until snapshots show everything that was acknowledged.
  private func waitForPublish() throws(StoreError) {
    guard let writer, let committer else { return }
    if committer.turn.isMine {
      // Between two bodies the writer thread can publish itself. Inside of one it can't, so that one runs again afterwards.
      if let running = committer.running {
        _ = running.giveWay()
        throw .snapshotInsideWrite
      }
      return committer.publishForReader()
    }
    if writer.isCurrent { return committer.turn.hold { committer.publishForReader() } }
    switch progress.waitUntilCurrent(
      holdsSnapshot: occupancy.callerHoldsSnapshot, request: writer.queue.requestPublish)
    {
    case .isCurrent: return
    case .isPoisoned: throw .mustReopen(path: directory, cause: committer.poison.reopenCause)
    case .isBlocked: throw .snapshotBlocksGrowth(path: directory)
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
    // The snapshot keeps the map where it is: that is where LMDB reads its numbers. What they say must be known also while a
    // write takes long.
    try read(showingAll: false) { _ in
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
